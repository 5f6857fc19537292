import { describe, expect, test } from "bun:test";
import { exactOutcome } from "../../lib/measuring/discovery/stopping-points.ts";
import { strategies } from "../../lib/measuring/discovery/strategies.ts";
import { type StrategyOptions, strategyOptions } from "../../lib/measuring/discovery/strategy.ts";
import { discover } from "./simulator/discover.ts";
import { GraphNetwork, layeredEdges, readGraph } from "./simulator/graph-network.ts";
import { networks } from "./simulator/networks.ts";
import { SimulatedNet } from "./simulator/simulated-net.ts";
import { linksOf } from "./simulator/topology.ts";

type Name = keyof typeof strategies;
type Edges = readonly (readonly [near: number, far: number])[];

const conditions = { probesPerSec: 10_000, roundGapSec: 2 };

/** Two ways, one of them with 8 branches, the other with one: where Diamond-Miner misses links. */
const uneven = readGraph(
  [
    "s a",
    "a b",
    "a c",
    "b d",
    "d z",
    ...[1, 2, 3, 4, 5, 6, 7, 8].flatMap((i) => [`c e${i}`, `e${i} z`]),
  ].join("\n"),
);

function runs(name: Name, edges: Edges, count: number, given: Partial<StrategyOptions> = {}) {
  let [found, total, whole] = [0, 0, 0];
  for (let seed = 1; seed <= count; seed++) {
    const graph = new GraphNetwork(edges, Math.imul(seed, 0x9e3779b1));
    const net = new SimulatedNet(graph, { ...conditions, seed });
    const links = discover(
      net,
      strategies[name],
      strategyOptions({ ttlMax: graph.length, windowTtls: 0, ...given }),
    );
    found += links.size;
    total += graph.links.size;
    whole += links.size === graph.links.size ? 1 : 0;
  }
  return { share: found / total, failed: 1 - whole / count };
}

/** The 95 % interval of a share of `count` runs holds the exact one. */
function expectExact(failed: number, exact: number, count: number): void {
  expect(Math.abs(failed - exact)).toBeLessThan(1.96 * Math.sqrt((exact * (1 - exact)) / count));
}

describe("the share of 1,000 runs that miss a branch of one balancer is the exact one", () => {
  // The end is left out: flows that look for it are others' evidence.
  test.each([2, 3, 4, 8, 16])("of %p branches, for MDA and for Diamond-Miner", (branches) => {
    const edges = layeredEdges([1, branches]);
    expectExact(runs("mda", edges, 1000).failed, exactOutcome(branches, 0.05).failure, 1000);
    const adaptive = exactOutcome(branches, 0.05, true).failure;
    expectExact(runs("diamond-miner", edges, 1000).failed, adaptive, 1000);
  });

  test("of two balancers one behind the other, for MDA: both have to be whole", () => {
    const [first, second] = [exactOutcome(2, 0.05).failure, exactOutcome(4, 0.05).failure];
    const edges = layeredEdges([1, 2, 1, 4]);
    // The flows that cross the second are more than it needs in some runs, never fewer.
    const { failed } = runs("mda", edges, 1000);
    const exact = 1 - (1 - first) * (1 - second);
    expect(failed).toBeLessThan(exact + 1.96 * Math.sqrt((exact * (1 - exact)) / 1000));
  });
});

test("an uneven balancer: MDA finds what Diamond-Miner misses", () => {
  expect(runs("diamond-miner", uneven, 100).share).toBeWithin(0.9, 0.98);
  expect(runs("mda", uneven, 100).share).toBeGreaterThan(0.98);
  expect(runs("shared", uneven, 100).failed).toBeLessThan(0.1);
});

describe.each(Object.keys(networks))("%s", (kind) => {
  const ours = { probes: 0, found: 0, invented: 0, rounds: 0 };
  const theirs = { ...ours };
  let total = 0;
  for (const [name, sum] of [
    ["shared", ours],
    ["diamond-miner", theirs],
  ] as const) {
    // Of the seeds tried, the one whose busiest router limits its answers most.
    const net = networks[kind]?.make(3 * 7919);
    if (net !== undefined) {
      const truth = linksOf(net.topology);
      const links = discover(net, strategies[name], strategyOptions({ windowTtls: 0 }));
      const found = [...links].filter((link) => truth.has(link)).length;
      Object.assign(sum, { probes: net.probes, found, invented: links.size - found, rounds: net.rounds });
      total = truth.size;
    }
  }

  test("shared finds what Diamond-Miner finds, for far fewer probes a link, and invents none", () => {
    expect(ours.found / total).toBeGreaterThan(0.999);
    expect(ours.found).toBeGreaterThanOrEqual(theirs.found);
    expect(ours.probes / ours.found).toBeLessThan((0.6 * theirs.probes) / theirs.found);
    expect([ours.invented, theirs.invented]).toEqual([0, 0]);
    expect(ours.rounds).toBeLessThan(40);
  });
});

test("mda asks again for answers that were lost: all links at a loss of 10 %", () => {
  const net = networks.toy?.make(1, 3);
  const lossy = new SimulatedNet(net?.topology ?? expect.unreachable(), {
    ...conditions,
    seed: 1,
    loss: 0.1,
  });
  const links = discover(lossy, strategies.mda, strategyOptions());
  expect(links).toEqual(linksOf(lossy.topology));
});

test("a graph's file: comments are passed over, a bad line is named", () => {
  expect(readGraph("# source first\n127.0.0.1 a\n\na b\n")).toEqual([
    [0, 1],
    [1, 2],
  ]);
  expect(() => readGraph("a b\na\n")).toThrow("line 2");
});
