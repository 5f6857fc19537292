/** The command itself, `vantage trace` and `vantage ping`, on the Internet of the lab: what it finds, how it ends. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { runToEnd } from "../run/said.ts";
import { vantageCommand } from "../run/vantage-command.ts";
import { Internet } from "./internet.ts";
import { hopAddress, targetAddress } from "./responder/scenario.ts";
import { identity, nodeNamed } from "./routing.ts";
import { testInternet } from "./topology.ts";

/** An address that is nobody's, on the link of the vantage point. */
const deadNeighbour = "192.0.2.5";

interface TraceOfTarget {
  readonly target: string;
  readonly reached: boolean;
  readonly probes: Readonly<Record<"sent" | "answered" | "lost" | "not_awaited" | "failed", number>>;
  readonly hops: readonly {
    readonly ttl: number;
    readonly routers: readonly {
      readonly address: string | null;
      readonly rtt_samples_ms: readonly number[];
    }[];
  }[];
}

let net: Internet;
beforeAll(async () => {
  net = await Internet.start(testInternet);
});
afterAll(() => net.stop());

async function vantage(node: string, ...args: string[]) {
  const command = net.at(node, [...vantageCommand, ...args]);
  return await runToEnd(command);
}

/** What became of the probes adds up in each. */
function readTraces(stdout: string): TraceOfTarget[] {
  const traces: TraceOfTarget[] = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  for (const { probes } of traces) {
    expect(probes.answered + probes.lost + probes.not_awaited).toBe(probes.sent);
  }
  return traces;
}

function readCsv(stdout: string): Record<string, string>[] {
  const [head = "", ...lines] = stdout.trimEnd().split("\n");
  const names = head.split(",");
  return lines.map((line) => Object.fromEntries(line.split(",").map((cell, i) => [names[i] ?? "", cell])));
}

const routersAt = (trace: TraceOfTarget | undefined, ttl: number): (string | null)[] =>
  (trace?.hops.find((hop) => hop.ttl === ttl)?.routers ?? []).map((router) => router.address).sort();

describe.each(["v4", "v6"] as const)("trace %s", (family) => {
  test("reaches its target over both branches, past the silent router", async () => {
    const dst = targetAddress(10)[family];
    const { exitCode, stdout } = await vantage(
      "west",
      "trace",
      dst,
      "-o",
      "ndjson",
      "-w",
      "500",
      "--flows",
      "16",
    );
    const [trace] = readTraces(stdout);
    expect({ exitCode, reached: trace?.reached }).toEqual({ exitCode: 0, reached: true });
    const branches = ["up1", "low1"].map((name) => identity(nodeNamed(testInternet, name))[family]);
    expect(routersAt(trace, 3)).toEqual(branches.sort());
    expect(routersAt(trace, 6)).toEqual([null]);
    expect(routersAt(trace, 11)).toEqual([dst]);
    expect(trace?.hops.length).toBe(11);
  });

  test("finds a hop behind a device that rewrites checksums, with a true RTT", async () => {
    const { stdout } = await vantage(
      "east",
      "trace",
      targetAddress(15)[family],
      "-o",
      "ndjson",
      "-w",
      "4000",
    );
    const [trace] = readTraces(stdout);
    expect(routersAt(trace, 9)).toEqual([hopAddress(20)[family]]);
    const rttsMs = trace?.hops.find((hop) => hop.ttl === 9)?.routers[0]?.rtt_samples_ms ?? [];
    expect(rttsMs.length).toBeGreaterThan(0);
    // A false one would be off by up to 6.55 s.
    expect(Math.min(...rttsMs)).toBeLessThan(2000);
  });

  test("believes nothing that is forged, and says that the target was not reached", async () => {
    const dst = targetAddress(16)[family];
    const { exitCode, stdout } = await vantage("east", "trace", dst, "-o", "ndjson", "-w", "300", "-m", "14");
    const [trace] = readTraces(stdout);
    expect({ exitCode, reached: trace?.reached }).toEqual({ exitCode: 3, reached: false });
    const seen = trace?.hops.flatMap((hop) => hop.routers.map((router) => router.address)) ?? [];
    expect(seen).not.toContain(hopAddress(22)[family]);
    expect(seen).not.toContain(dst);
    expect(routersAt(trace, 10)).toEqual([hopAddress(23)[family]]);
  });
});

test("several targets, one of them silent: a partial success", async () => {
  const targets = [targetAddress(10).v4, targetAddress(18).v6];
  const { exitCode, stdout } = await vantage("east", "trace", ...targets, "-o", "ndjson", "-w", "300");
  const reached = Object.fromEntries(readTraces(stdout).map((trace) => [trace.target, trace.reached]));
  expect(reached).toEqual({ [targets[0] ?? ""]: true, [targets[1] ?? ""]: false });
  expect(exitCode).toBe(3);
});

test("trace as CSV has a row for each router of each hop", async () => {
  const dst = targetAddress(10).v4;
  const { exitCode, stdout } = await vantage("west", "trace", dst, "-o", "csv", "-w", "500", "--flows", "16");
  const rows = readCsv(stdout);
  expect({ exitCode, targets: new Set(rows.map(({ target }) => target)) }).toEqual({
    exitCode: 0,
    targets: new Set([dst]),
  });
  const branches = rows.filter(({ ttl }) => ttl === "3");
  expect(branches.reduce((flows, row) => flows + Number(row.flows), 0)).toBe(16);
  expect(branches.map(({ router }) => router).sort()).toEqual(
    ["up1", "low1"].map((name) => identity(nodeNamed(testInternet, name)).v4).sort(),
  );
  expect(rows.find(({ ttl }) => ttl === "6")).toMatchObject({
    router: "",
    answered: "0",
    loss_percent: "100",
  });
  expect(rows.at(-1)).toMatchObject({ ttl: "11", router: dst, says: "port unreachable", loss_percent: "0" });
  expect(Number(rows.at(-1)?.rtt_median_ms)).toBeGreaterThan(0);
});

test("ping as CSV has a row for each probe; its summary one for each target, which adds up", async () => {
  const targets = [targetAddress(10).v4, targetAddress(18).v4];
  const args = ["-c", "2", "--interval-ms", "20", "-w", "300", "-o", "csv"];
  const probes = readCsv((await vantage("west", "ping", ...targets, ...args)).stdout);
  expect(probes.map(({ target, outcome }) => `${target} ${outcome}`).sort()).toEqual(
    [`${targets[0]} answered`, `${targets[0]} answered`, `${targets[1]} lost`, `${targets[1]} lost`].sort(),
  );
  const { exitCode, stdout } = await vantage("west", "ping", ...targets, ...args, "--summary");
  expect(exitCode).toBe(3);
  expect(readCsv(stdout)).toMatchObject([
    { target: targets[0], sent: "2", answered: "2", lost: "0", not_awaited: "0", loss_percent: "0" },
    { target: targets[1], sent: "2", answered: "0", lost: "2", not_awaited: "0", loss_percent: "100" },
  ]);
});

test("ping shows each answer and its loss", async () => {
  const { exitCode, stdout } = await vantage(
    "west",
    "ping",
    "2001:db8:cb::10",
    "-c",
    "3",
    "--interval-ms",
    "20",
  );
  expect(exitCode).toBe(0);
  expect(stdout).toContain("3 sent, 3 answered, 0 % lost");
});

describe("a failure is one line, and no hang", () => {
  test.each([
    ["an interface that is not there", "east", ["trace", "-i", "nowhere0", "203.0.113.10"], /nowhere0/],
    [
      "a source that the host does not have",
      "east",
      ["trace", "-s", "192.0.2.200", "203.0.113.10"],
      /^vantage trace: Cannot send from 192\.0\.2\.200: .*--spoof/,
    ],
    ["no route", "lonelyHost", ["trace", "203.0.113.10"], /203\.0\.113\.10.*no route/],
  ])("%s", async (_, node, args, said) => {
    const { exitCode, stdout, stderr } = await vantage(node, ...args);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
    expect(stderr).toMatch(said);
    expect(stderr.trimEnd()).not.toContain("\n");
  });

  test("a neighbour that never answers", async () => {
    const { exitCode, stdout } = await vantage("east", "trace", deadNeighbour, "-w", "300");
    expect(exitCode).toBe(3);
    expect(stdout).toContain(`${deadNeighbour} on to-eastAccess does not answer`);
  });
});
