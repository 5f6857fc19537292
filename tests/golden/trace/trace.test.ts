/** How a trace goes about its work, over the simulated network: what it finds, what it sends, when it stops. */
import { expect, test } from "bun:test";
import { silentHopsMax } from "../../../apps/user/trace/limits.ts";
import { hopsOf } from "../../../lib/measuring/paths/hops.ts";
import { formatAddress } from "../../../lib/net/ip/address.ts";
import { twoBranches } from "./scenes.ts";
import type { SimulatedPath } from "./simulated-path.ts";
import { type SimulatedTrace, simulateTrace, simulateTraces } from "./simulated-trace.ts";

function routersOf({ view }: SimulatedTrace): (string | null)[][] {
  return hopsOf(view.path, view.options.firstTtl).map(({ nodes }) =>
    nodes.map(({ address }) => (address === null ? null : formatAddress(address))),
  );
}

const everyHop = [
  ["192.0.2.2"],
  ["198.51.100.1"],
  ["198.51.100.2", "198.51.100.3"],
  ["198.51.100.4", "198.51.100.5"],
  ["198.51.100.6"],
  [null],
  ["198.51.100.7"],
  ["203.0.113.10"],
];

for (const args of [
  [],
  ["-p", "icmp"],
  ["-p", "tcp", "--src-port", "24000"],
  ["--rate", "2"],
  ["--rate", "100000"],
]) {
  test(`every hop and both branches are found, and nothing else: ${args.join(" ") || "defaults"}`, () => {
    const trace = simulateTrace(twoBranches, args);
    expect(routersOf(trace)).toEqual(everyHop);
    expect(trace.view.path.reached()).toBe(true);
    expect(trace.view.path.totals().failed).toBe(0);
  });
}

test("what became of the probes adds up, also where answers come after all is known", () => {
  // The target is next door: probes of farther hops are on their way when the last answer has come.
  const near = { ...twoBranches, hops: [], answers: { delayMs: 300 } };
  const { view, text } = simulateTrace(near, ["-q", "1"]);
  const { sent, answered, lost, unawaited, failed } = view.path.totals();
  expect({ isSum: answered + lost + unawaited === sent, lost, failed }).toEqual({
    isSum: true,
    lost: 0,
    failed: 0,
  });
  expect(unawaited).toBeGreaterThan(0);
  expect(text).toContain(
    `: ${sent} probes sent, ${answered} answered, 0 without answer, ${unawaited} not waited for;`,
  );
});

test("a silent router costs the wait for its own answers, and little more", () => {
  const { view } = simulateTrace(twoBranches, ["-w", "2000"]);
  expect(view.elapsedMs).toBeLessThan(3000);
});

test("a path without silence is traced in less than a second", () => {
  const hops = twoBranches.hops.filter(({ routers }) => routers.length > 0);
  const { view } = simulateTrace({ ...twoBranches, hops });
  expect(view.elapsedMs).toBeLessThan(1000);
});

/** Milliseconds between the first probes of a hop's queries. */
function spacingsMs({ network }: SimulatedTrace, ttl: number, flows: number): number[] {
  const atMs = network.offeredAtMs.filter((_, i) => network.offered[i]?.ttl === ttl);
  const begins = atMs.filter((_, i) => i % flows === 0);
  return begins.slice(1).map((at, i) => Math.round(at - (begins[i] ?? 0)));
}

test("a router that answers all gets its next query soon, one that has left one out does not", () => {
  const hops = [
    { routers: ["192.0.2.2"], delayMs: 1 },
    { routers: ["198.51.100.1"], delayMs: 1, losesOneOf: 1000 },
  ];
  const args = ["--rate", "100000", "-q", "30"];
  const trace = simulateTrace({ ...twoBranches, hops, answers: { delayMs: 1 } }, args);
  expect(spacingsMs(trace, 1, 8)).toEqual(Array(29).fill(40));
  expect(spacingsMs(trace, 2, 8)).toEqual(Array(29).fill(120));
});

test("three queries to a router leave as its answers come: so many all give", () => {
  const hops = [{ routers: ["192.0.2.2"], delayMs: 10 }];
  const trace = simulateTrace({ ...twoBranches, hops }, ["--flows", "1"]);
  expect(spacingsMs(trace, 1, 1)).toEqual([12, 12]);
});

test("where the rate is used up, nothing is sent beyond targets", () => {
  const hops = Array.from({ length: 7 }, (_, i) => ({ routers: [`198.51.100.${i + 1}`], delayMs: 5 }));
  const paths = Array.from({ length: 40 }, (_, i) => ({
    ...{ target: `203.0.113.${i + 1}`, hops, answers: { delayMs: 5 } },
  }));
  const { network } = simulateTraces(paths, ["--flows", "1", "-q", "1", "--rate", "1000"]);
  expect(network.offered.length).toBeLessThan(40 * 8 + 10);
});

test("each flow of each hop gets as many queries as asked for", () => {
  const { view } = simulateTrace(twoBranches, ["-q", "5", "--flows", "3"]);
  for (let ttl = 1; ttl <= 8; ttl++) {
    expect(view.path.cellsOfHop(ttl).map(({ sent }) => sent)).toEqual([5, 5, 5]);
  }
});

test("a path that ends in silence is given up after the agreed number of hops", () => {
  const path: SimulatedPath = { target: "203.0.113.14", hops: [{ routers: ["192.0.2.2"] }], answers: null };
  const { network, view } = simulateTrace(path, ["-q", "1"]);
  expect(Math.max(...network.offered.map(({ ttl }) => ttl))).toBe(1 + silentHopsMax);
  expect(view.path.reached()).toBe(false);
});

test("no probe goes beyond --max-ttl or before --first-ttl", () => {
  const { network } = simulateTrace(twoBranches, ["--first-ttl", "2", "-m", "4"]);
  expect([...new Set(network.offered.map(({ ttl }) => ttl))].sort()).toEqual([2, 3, 4]);
});

test("a target next door gets few probes too many", () => {
  const { network } = simulateTrace({ ...twoBranches, hops: [] }, ["--flows", "1"]);
  expect(network.offered.length).toBeLessThan(3 * 3);
});

test("slow answers are no reason to probe further ahead, as long as they come", () => {
  const hops = Array.from({ length: 12 }, (_, i) => ({ routers: [`198.51.100.${i + 1}`], delayMs: 90 }));
  const path: SimulatedPath = { target: "203.0.113.10", hops, answers: { delayMs: 90 } };
  const { network } = simulateTrace(path, ["--flows", "1", "-q", "1"]);
  expect(Math.max(...network.offered.map(({ ttl }) => ttl))).toBeLessThanOrEqual(13 + 3);
});

test("probes that cannot leave fail, and the trace ends", () => {
  const { view, text } = simulateTrace({ ...twoBranches, answers: null, hops: [], unroutable: true });
  expect(view.path.totals().sent).toBe(0);
  expect(text).toContain("Not reached: Cannot send a probe: no route");
});

test("an engine that takes probes and never sends them is no hang", () => {
  const { view } = simulateTrace({ ...twoBranches, stuck: true });
  const { sent, failed } = view.path.totals();
  expect(failed).toBeGreaterThan(0);
  expect(sent).toBe(0);
});

test("replies with a wrong tag are refused and counted, however good their addresses are", () => {
  const hops = twoBranches.hops.map((hop, i) => (i === 1 ? { ...hop, forges: true } : hop));
  const trace = simulateTrace({ ...twoBranches, hops });
  expect(routersOf(trace)[1]).toEqual([null]);
  expect(trace.view.leftOut.forged).toBe(8 * 3);
});

test("an answer that comes twice counts once", () => {
  const hops = twoBranches.hops.map((hop) => ({ ...hop, doubles: true }));
  const { view } = simulateTrace({ ...twoBranches, hops });
  const cells = [1, 2, 3, 4, 5, 7, 8].flatMap((ttl) => view.path.cellsOfHop(ttl));
  expect(cells.map(({ outcomes }) => outcomes.length)).toEqual(cells.map(() => 3));
});

test("an answer that comes twice answers no other query that is in flight", () => {
  const hops = [{ routers: ["192.0.2.2"], delayMs: 400, doubles: true }];
  const trace = simulateTrace({ ...twoBranches, hops }, ["--flows", "1", "-q", "5"]);
  const [first] = hopsOf(trace.view.path, 1);
  expect(first?.nodes[0]?.samplesMs.map(Math.round)).toEqual([400, 400, 400, 400, 400]);
  expect(trace.view.leftOut.late).toBeGreaterThan(3);
});

test("a repeated answer of the target to a SYN, which brings 8 bits of the tag back, answers no other query", () => {
  const path = { ...twoBranches, hops: [], answers: { delayMs: 400, doubles: true } };
  const args = ["-p", "tcp", "--src-port", "24000", "--flows", "16", "-q", "50"];
  const [first] = hopsOf(simulateTrace(path, args).view.path, 1);
  expect(new Set(first?.nodes[0]?.samplesMs.map(Math.round))).toEqual(new Set([400]));
});

test("an answer after its time is lost, and answers no later query", () => {
  const slow = [{ routers: ["192.0.2.2"], delayMs: 700 }];
  const trace = simulateTrace({ ...twoBranches, hops: slow }, ["-w", "300", "-q", "5", "--flows", "1"]);
  expect(routersOf(trace)[0]).toEqual([null]);
  expect(trace.view.leftOut.late).toBeGreaterThan(0);
});

test("an answer a wrap late is stale: no hop, no RTT", () => {
  const slow = [{ routers: ["192.0.2.2"], delayMs: 7000 }];
  const args = ["-w", "6500", "-q", "8", "--flows", "16", "--rate", "20"];
  const trace = simulateTrace({ ...twoBranches, hops: slow }, args);
  expect(routersOf(trace)[0]).toEqual([null]);
  expect(trace.view.staleReplies).toBeGreaterThan(0);
});

for (const delayMs of [5, 50, 300]) {
  test(`RTT is the delay of the hop: ${delayMs} ms`, () => {
    const { view } = simulateTrace({ ...twoBranches, hops: [{ routers: ["192.0.2.2"], delayMs }] });
    for (const rtt of hopsOf(view.path, 1)[0]?.nodes[0]?.samplesMs ?? []) {
      expect(rtt).toBeCloseTo(delayMs, 2);
    }
  });
}

test("behind a NAT that rewrites the send time, hops keep their RTT while one query is in flight", () => {
  const hops = twoBranches.hops.map((hop) => ({ ...hop, rewritesTime: true }));
  const trace = simulateTrace({ ...twoBranches, hops });
  expect(routersOf(trace)).toEqual(everyHop);
  expect(trace.view.leftOut.forged).toBe(0);
  const [first] = hopsOf(trace.view.path, 1);
  expect(first?.nodes[0]?.samplesMs).toHaveLength(8 * 3);
});

test("behind that NAT an RTT that cannot be told is not made up", () => {
  const hops = [{ routers: ["192.0.2.2"], rewritesTime: true, delayMs: 400 }];
  const { view } = simulateTrace({ ...twoBranches, hops }, ["--flows", "1"]);
  const [first] = hopsOf(view.path, 1);
  expect(first?.nodes[0]?.answered).toBe(3);
  for (const rtt of first?.nodes[0]?.samplesMs ?? []) {
    expect(rtt).toBeCloseTo(400, 2);
  }
});
