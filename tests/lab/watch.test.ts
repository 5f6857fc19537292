/** `vantage trace --watch` on a real terminal, its report, and files of targets, in the lab. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { runToEnd } from "../run/said.ts";
import { vantageCommand } from "../run/vantage-command.ts";
import { Internet } from "./internet.ts";
import { internet } from "./topology.ts";

const target = "203.0.113.10";

let net: Internet;
beforeAll(async () => {
  net = await Internet.start(internet);
});
afterAll(() => net.stop());

const commandOf = (...args: string[]) => net.at("east", [...vantageCommand, "trace", ...args]);

/** A terminal of this size, and what has been written to it. */
function onTerminal(cols: number, rows: number, ...args: string[]) {
  const decoder = new TextDecoder();
  const seen = { text: "" };
  const child = Bun.spawn(commandOf(...args), {
    terminal: {
      ...{ cols, rows },
      data: (_, bytes) => {
        seen.text += decoder.decode(bytes, { stream: true });
      },
    },
  });
  const until = async (isSo: (screen: string) => boolean) => {
    while (!isSo(seen.text.split("\x1b[H").at(-1) ?? "")) {
      expect(child.exitCode).toBeNull();
      await Bun.sleep(20);
    }
  };
  return { child, seen, until, press: (keys: string) => child.terminal?.write(keys) };
}

const linesOf = (screen: string) => Bun.stripANSI(screen).split(/\r*\n/);

async function run(stdin: string, ...args: string[]) {
  return await runToEnd(commandOf(...args), { stdin: Buffer.from(stdin) });
}

describe("the live screen", () => {
  test("fits a small terminal and a large one, follows keys, and leaves the terminal as it was", async () => {
    const { child, seen, until, press } = onTerminal(20, 5, "--watch", "-w", "300", target);
    await until((screen) => screen.includes("2 cycles"));
    for (const screen of seen.text.split("\x1b[H").slice(1)) {
      const lines = linesOf(screen);
      expect(lines.length).toBeLessThanOrEqual(5);
      expect(Math.max(...lines.map((line) => Bun.stringWidth(line)))).toBeLessThanOrEqual(20);
    }
    child.terminal?.resize(110, 30);
    await until((screen) => /hop +router .* jitter/.test(screen) && screen.includes(target));
    press("h");
    await until((screen) => screen.includes("the next flow"));
    press("hf");
    await until((screen) => screen.includes("flow 1 of 8"));
    press("s");
    await until((screen) => screen.includes("by loss"));
    press("p");
    await until((screen) => screen.includes("paused"));
    press("sss");
    press("f".repeat(8));
    await until((screen) => screen.includes("all 8 flows") && screen.includes("by hop"));
    // The third hop has two routers.
    press("\x1b[B\x1b[B\r");
    await until((screen) => linesOf(screen).some((line) => /^ {4,}10\.255\.0\.\d+ /.test(line)));
    press("\x03");
    expect(await child.exited).toBe(130);
    expect(seen.text).toStartWith("\x1b[?1049h\x1b[?25l");
    expect(seen.text).toEndWith("\x1b[?25h\x1b[?1049l");
  });

  test("q ends it; a report is printed below when it was asked for", async () => {
    const { child, seen, until, press } = onTerminal(110, 30, "--watch", "--report", "-w", "300", target);
    await until((screen) => screen.includes("1 cycles"));
    press("q");
    expect(await child.exited).toBe(0);
    const report = seen.text.split("\x1b[?1049l").at(-1) ?? "";
    expect(linesOf(report)[0]).toMatch(/^hop +router +flows +sent +loss +last +mean/);
  });

  test("needs a terminal, and says what to do without one", async () => {
    const { stderr, exitCode } = await run("", "--watch", target);
    expect([exitCode, stderr]).toEqual([
      2,
      "vantage trace: --watch needs a terminal: give --report --cycles N where there is not one; " +
        "see vantage trace --help\n",
    ]);
  });
});

test("a report has the figures of each hop over its cycles", async () => {
  const args = ["--report", "--cycles", "3", "--flows", "4", "-w", "300", "-o", "json", target];
  const { stdout, exitCode } = await run("", ...args);
  const hops = JSON.parse(stdout);
  expect([exitCode, hops.length]).toEqual([0, 8]);
  expect(hops[0]).toMatchObject({ ttl: 1, routers: ["10.255.0.1"], flows: 4, sent: 12, loss_percent: 0 });
  expect(hops[7]).toMatchObject({ ttl: 8, routers: [target], sent: 12, answered: 12 });
  expect(hops.filter(({ routers }: { routers: string[] }) => routers.length === 0)).toMatchObject([
    { answered: 0, loss_percent: 100, mean_ms: null },
  ]);
  for (const { best_ms, mean_ms, worst_ms, last_ms } of hops.filter(
    (hop: { answered: number }) => hop.answered,
  )) {
    expect(best_ms).toBeLessThanOrEqual(mean_ms);
    expect(mean_ms).toBeLessThanOrEqual(worst_ms);
    expect(last_ms).toBeLessThanOrEqual(worst_ms);
  }
});

describe("a file of targets", () => {
  test("is traced, a line of JSON for each", async () => {
    const near = "10.255.0.1";
    const text = `# two\n${near}\n\n  ${target}\r\n`;
    const { stdout, exitCode } = await run(
      text,
      "-f",
      "-",
      "-o",
      "ndjson",
      "-w",
      "300",
      "--flows",
      "1",
      "-q",
      "1",
    );
    const traces = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(exitCode).toBe(0);
    expect(traces.map(({ target: name }) => name).sort()).toEqual([near, target].sort());
  });

  test("names its bad lines by number, and then nothing is sent", async () => {
    const { stdout, stderr, exitCode } = await run("192.0.2.1\nhttps://x/\n\n192.0.2.0/24\n", "-f", "-");
    expect({ stdout, stderr, exitCode }).toEqual({
      ...{ stdout: "", exitCode: 1 },
      stderr:
        "vantage trace: Cannot use standard input: not an address or a host name: " +
        'line 2 ("https://x/"), line 4 ("192.0.2.0/24"); line 2 is a URL: write its host, x\n',
    });
  });
});
