/** `vantage send`: lines in, a measurement out, once and whole, whatever comes in between. */
import { beforeAll, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CliPlace } from "./cli-place.ts";
import { forgetfulProxy } from "./forgetful-proxy.ts";
import { east, place, west } from "./shared-place.ts";

const line = "203.0.113.9,24000,33434,7,UDP\n";

beforeAll(() => place.logIn("ann"));

function lines(count: number): string {
  const one = (i: number) => `10.0.${(i >> 8) & 255}.${i & 255},24000,33434,7,UDP\n`;
  return Array.from({ length: count }, (_, i) => one(i)).join("");
}

async function measurements(user: string): Promise<Record<string, unknown>[]> {
  return JSON.parse((await place.run(user, ["measurements", "-o", "json", "-n", "1000"])).stdout);
}

describe("lines", () => {
  test("from standard input become a measurement of each agent", async () => {
    const { exitCode, stdout } = await place.run("ann", ["send", "-a", "west,east", "-o", "json"], {
      input: line,
    });
    expect(exitCode).toBe(0);
    const answer = JSON.parse(stdout);
    expect(Object.keys(answer).slice(0, 3)).toEqual(["measurement_id", "status", "probes"]);
    expect(answer).toMatchObject({ probes: 2, rejected: [] });
    expect(answer.agents.map(({ id }: { id: string }) => id)).toEqual(["west", "east"]);
    const table = await place.run("ann", ["send", "-a", "west"], { input: line });
    const [, id] = /measurement {2}(\S+)\n/.exec(table.stdout) ?? [];
    expect(table.stdout).toEndWith(`next         vantage follow ${id}\n`);
  });

  test("from files, of any number, are packed and arrive whole", async () => {
    await place.logIn("many");
    const file = join(place.folder, "many.csv");
    writeFileSync(file, `# comment\n\n${lines(60_000)}`);
    const { exitCode, stdout } = await place.run("many", ["send", "-a", "west", "-o", "json", file, file]);
    expect([exitCode, JSON.parse(stdout).probes]).toEqual([0, 120_000]);
  });

  test("with sources go where they are sent from", async () => {
    const { stdout } = await place.run("ann", ["whoami", "-o", "json"]);
    const [, prefix = ""] =
      /"agent": "west",\s+"agent_prefix": "[^"]+",\s+"user_prefix": "([^"]+)"/.exec(stdout) ?? [];
    const source = prefix.replace(/::\/80$/, "::1");
    const args = ["send", "-a", `west:[${source}]`, "-a", "east:192.0.2.7", "-o", "json"];
    const sent = await place.run("ann", args, { input: line });
    expect(JSON.parse(sent.stdout).agents).toEqual([
      { id: "west", ip_address: source },
      { id: "east", ip_address: "192.0.2.7" },
    ]);
  });

  test("leave nothing behind on disk", () => {
    expect(readdirSync(place.temporary)).toEqual([]);
  });
});

describe("bad lines", () => {
  const input = `${line}nonsense\n${line}`;

  test("send nothing, and each is reported with its line", async () => {
    await place.logIn("bad");
    const { exitCode, stdout, stderr } = await place.run("bad", ["send", "-a", "west"], { input });
    expect([exitCode, stdout]).toEqual([1, ""]);
    expect(stderr).toEqual([
      "vantage send: standard input:2: Expected 5 fields (dst,src_port,dst_port,ttl,protocol), found 1",
      "vantage send: 1 bad line, so nothing is published; correct them, or leave them out with --skip-bad",
    ]);
    expect(await measurements("bad")).toEqual([]);
  });

  test("are left out with --skip-bad, and the exit code says so", async () => {
    const args = ["send", "-a", "west", "--skip-bad", "-o", "json"];
    const { exitCode, stdout } = await place.run("bad", args, { input });
    expect([exitCode, JSON.parse(stdout).probes]).toEqual([3, 2]);
  });
});

describe("agents that the gateway chooses", () => {
  test("are said back, on standard error and in the answer", async () => {
    const { exitCode, stdout, stderr } = await place.run("ann", ["send", "-a", "west,1@any", "-o", "json"], {
      input: line,
    });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: ["vantage send: 1@any is east (2 match)"] });
    expect(JSON.parse(stdout)).toMatchObject({
      agents: [{ id: "west" }, { id: "east" }],
      selections: [{ selector: "1@any", agents: ["east"], matching: 2 }],
    });
  });

  test("and what cannot be chosen is refused with what to look at", async () => {
    const { exitCode, stderr } = await place.run("ann", ["send", "-a", "tag:eu"], { input: line });
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: [
        "vantage send: Cannot choose agents by tag:eu: no agent matches it; no agent has tags; " +
          "see which are healthy: vantage agents",
      ],
    });
  });
});

describe("agents that do not take part", () => {
  test("are reported, and the others go on", async () => {
    const { exitCode, stdout, stderr } = await place.run("ann", ["send", "-a", "wset,east", "-o", "json"], {
      input: line,
    });
    expect(exitCode).toBe(3);
    expect(stderr).toEqual([
      'vantage send: Agent wset does not take part: there is no such agent; did you mean "west"?',
    ]);
    expect(JSON.parse(stdout)).toMatchObject({ probes: 1, rejected: [{ id: "wset" }] });
  });

  test("and nobody else does", async () => {
    expect(await place.run("ann", ["send", "-a", "esat"], { input: line })).toEqual({
      exitCode: 1,
      stdout: "",
      stderr: [
        'vantage send: Agent esat does not take part: there is no such agent; did you mean "east"?',
        "vantage send: No healthy agents found for the requested measurement; see which are healthy: vantage agents",
      ],
    });
  });
});

test("a used up quota is reported with its figures, and when it ends", async () => {
  await place.logIn("rich");
  const { exitCode, stderr } = await place.run("rich", ["send", "-a", "west,east"], {
    input: lines(200_000),
  });
  expect(exitCode).toBe(1);
  expect(stderr).toHaveLength(1);
  const figures = "0 of 300,000 are used, and these are 400,000";
  expect(stderr[0]).toStartWith(
    `vantage send: Daily probe limit exceeded; ${figures}; the next day starts at `,
  );
  expect(stderr[0]).toMatch(/ at 00:00 UTC, in [\d hmins]+; an operator can raise it: vantage admin users/);
});

describe("a submission is made once", () => {
  test("when its answer is lost on the way", async () => {
    await place.logIn("twice");
    await using proxy = forgetfulProxy(place.address, "/api/probes");
    const token = await place.issuer.tokenFor("twice");
    const environment = { VANTAGE_GATEWAY: proxy.url, VANTAGE_TOKEN: token };
    const { exitCode, stdout } = await place.run("twice", ["send", "-a", "west", "-o", "json"], {
      input: lines(5000),
      environment,
    });
    expect(exitCode).toBe(0);
    expect(proxy.forgotten).toBe(1);
    const ids = (await measurements("twice")).map(({ measurement_id }) => measurement_id);
    expect(ids).toEqual([JSON.parse(stdout).measurement_id]);
  });

  test("when its name comes again", async () => {
    await place.logIn("named");
    const send = (input: string) =>
      place.run("named", ["send", "-a", "west", "--idempotency-key", "k-1", "-o", "json"], { input });
    const [first, second] = [await send(line), await send(line)];
    expect(second.stdout).toBe(first.stdout);
    expect(await measurements("named")).toHaveLength(1);
    const other = await send(lines(2));
    expect([other.exitCode, other.stderr[0]]).toEqual([
      1,
      "vantage send: This Idempotency-Key was used with another request: use a new one",
    ]);
  });
});

describe("waiting", () => {
  /** The id that a waiting command says first. */
  async function idOf(child: ReturnType<CliPlace["start"]>): Promise<string> {
    let said = "";
    for await (const text of child.stderr.pipeThrough(new TextDecoderStream(), { preventCancel: true })) {
      said += text;
      const [, id] = /[Mm]easurement (\S+)\n/.exec(said) ?? [];
      if (id !== undefined) {
        return id;
      }
    }
    throw new Error(`It has ended: ${said}`);
  }

  function start(...args: string[]) {
    const child = place.start("ann", ["send", "-o", "json", "--wait", ...args]);
    child.stdin.write(lines(10));
    child.stdin.end();
    return child;
  }

  async function resultOf(child: ReturnType<CliPlace["start"]>) {
    return { exitCode: await child.exited, whole: JSON.parse(await new Response(child.stdout).text()) };
  }

  test("ends when the agents have sent everything, with the columns of send without --wait", async () => {
    const child = start("-a", "west");
    await west.report(await idOf(child), { sent_probes: 10, is_complete: true, received_replies: 8 });
    const result = await resultOf(child);
    const { stdout } = await place.run("ann", ["send", "-o", "json", "-a", "west"], { input: lines(10) });
    expect(Object.keys(result.whole)).toEqual(Object.keys(JSON.parse(stdout)));
    expect(result).toMatchObject({
      exitCode: 0,
      whole: { status: "complete", sent_probes: 10, received_replies: 8, agents: [{ id: "west" }] },
    });
  });

  test("tells what did not finish", async () => {
    const child = start("-a", "west,east");
    const id = await idOf(child);
    await west.report(id, { sent_probes: 10, is_complete: true });
    await east.report(id, { sent_probes: 3, is_complete: false, status: "failed", error: "no route" });
    expect(await resultOf(child)).toMatchObject({ exitCode: 3, whole: { status: "failed" } });
  });

  test("ends when enough replies have come", async () => {
    const child = start("-a", "west", "--count", "3");
    await west.report(await idOf(child), { sent_probes: 5, is_complete: false, received_replies: 3 });
    expect(await resultOf(child)).toMatchObject({ exitCode: 0, whole: { status: "running" } });
  });

  test("ends with the time", async () => {
    expect(await resultOf(start("-a", "west", "--timeout", "1s"))).toMatchObject({
      exitCode: 3,
      whole: { status: "queued" },
    });
  });

  test("ends with Ctrl-C, and the measurement goes on", async () => {
    const child = start("-a", "west");
    const id = await idOf(child);
    child.kill("SIGINT");
    expect(await child.exited).toBe(130);
    const { stdout } = await place.run("ann", ["show", id, "-o", "json"]);
    expect(JSON.parse(stdout).status).toBe("queued");
  });
});

describe("wrong usage is one line", () => {
  test.each([
    [
      ["send"],
      "--agent is missing: who probes: agent, agent:192.0.2.1 or agent:[2001:db8::1], several with commas",
    ],
    [["send", "-a", "west,"], 'There is an empty target in "west,": name agents as agent or agent:address'],
    [["send", "-a", "west", "-a", "west"], "Target west is given twice"],
    [["send", "-a", "west", "--timeout", "5s"], "--timeout requires --wait"],
    [
      ["send", "-a", "west", "-w", "--timeout", "5w"],
      '--timeout "5w" is not a time up to 366d, as 90s, 30m or 2d',
    ],
    [["send", "-a", "west", "-w", "--count", "0"], '--count "0" is not a number from 1 to 100000000'],
    [
      ["send", "-a", "west", "--token-stdin"],
      "Probe lines come from standard input, but the token comes from there too: set VANTAGE_TOKEN",
    ],
    [["send", "-a", "west", "-", "-"], "Probe lines come from standard input, but it can be read only once"],
  ])("%j", async (args, message) => {
    expect(await place.run("ann", args)).toEqual({
      exitCode: 2,
      stdout: "",
      stderr: [`vantage send: ${message}; see vantage send --help`],
    });
  });

  test("and so is a file that is not there", async () => {
    expect((await place.run("ann", ["send", "-a", "west", "/nowhere.csv"])).stderr).toEqual([
      "vantage send: Cannot read /nowhere.csv: there is no such file",
    ]);
  });
});

/** Kilobytes that the process needed at most. */
test("memory does not grow with the lines", async () => {
  await place.logIn("large");
  const peaks: number[] = [];
  for (const count of [20_000, 250_000]) {
    const child = place.start("large", ["send", "-a", "west", "--wait"]);
    child.stdin.write(lines(count));
    child.stdin.end();
    for await (const text of child.stderr.pipeThrough(new TextDecoderStream())) {
      if (text.includes("Measurement ")) {
        peaks.push(
          Number(/^VmHWM:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1]),
        );
        child.kill("SIGINT");
      }
    }
    expect(await child.exited).toBe(130);
  }
  const [small = 0, large = 0] = peaks;
  // 250,000 lines are 8 MB of text and 12 MB of messages; collected garbage makes up the rest.
  expect(large - small).toBeLessThan(60_000);
});
