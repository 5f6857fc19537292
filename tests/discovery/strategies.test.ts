import { describe, expect, test } from "bun:test";
import { exactOutcome } from "../../lib/discovery/stopping-points.ts";
import { exploreDiamondMiner, exploreMda, exploreShared } from "./simulator/explore.ts";
import { GraphNetwork, layeredEdges, readGraph } from "./simulator/graph-network.ts";
import { ToyInternet } from "./simulator/toy-internet.ts";

const failure = 0.05;
const plain = { failure, isAdaptive: false };

type Edges = readonly (readonly [near: number, far: number])[];

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

function runs(edges: Edges, count: number, explore: (net: GraphNetwork) => ReadonlySet<string>) {
  let [found, total, whole] = [0, 0, 0];
  for (let seed = 1; seed <= count; seed++) {
    const net = new GraphNetwork(edges, Math.imul(seed, 0x9e3779b1));
    const links = [...explore(net)].filter((link) => net.links.has(link)).length;
    found += links;
    total += net.links.size;
    whole += links === net.links.size ? 1 : 0;
  }
  return { share: found / total, failed: 1 - whole / count };
}

const diamondMiner = (net: GraphNetwork) =>
  exploreDiamondMiner((flow, ttl) => net.reply(flow, ttl), net.length, plain).links;
const mda = (net: GraphNetwork) =>
  exploreMda((flow, ttl) => net.reply(flow, ttl), { failure, ttlMax: net.length }).links;

describe("the share of runs that miss a branch of one balancer", () => {
  const count = 1500;
  test.each([2, 3, 4, 8])("of %p branches is the exact one, for Diamond-Miner", (branches) => {
    // The end is left out: its flows are others' evidence.
    const { failed } = runs(layeredEdges([1, branches]), count, diamondMiner);
    const exact = exactOutcome(branches, failure).failure;
    expect(Math.abs(failed - exact)).toBeLessThan(2.6 * Math.sqrt((exact * (1 - exact)) / count));
  });

  test.each([2, 4])("of %p branches is at most the exact one, for MDA", (branches) => {
    const { failed } = runs(layeredEdges([1, branches]), 500, mda);
    const exact = exactOutcome(branches, failure).failure;
    expect(failed).toBeLessThan(exact + 2.6 * Math.sqrt((exact * (1 - exact)) / 500));
  });
});

test("an uneven balancer: MDA finds what Diamond-Miner misses", () => {
  const [theirs, nodeByNode] = [runs(uneven, 200, diamondMiner), runs(uneven, 60, mda)];
  expect(theirs.share).toBeWithin(0.9, 0.95);
  expect(nodeByNode.share).toBeGreaterThan(0.985);
});

describe("a toy Internet of routed prefixes", () => {
  const subnetsOf = (routed: number) => Array.from({ length: 8 }, (_, i) => routed * 8 + i);

  function compare(loss: number) {
    const [ours, theirs] = [
      { probes: 0, found: 0 },
      { probes: 0, found: 0 },
    ];
    let total = 0;
    for (let seed = 1; seed <= 3; seed++) {
      const net = new ToyInternet({ routedPrefixes: 25, subnets: 8, seed: seed * 7919, loss });
      const routed = Array.from({ length: 25 }, (_, i) => subnetsOf(i));
      const truth = net.links(routed.flat());
      const tally = (sum: typeof ours, parts: readonly { probes: number; links: ReadonlySet<string> }[]) => {
        sum.probes += parts.reduce((probes, part) => probes + part.probes, 0);
        const links = new Set(parts.flatMap((part) => [...part.links]));
        sum.found += [...links].filter((link) => truth.has(link)).length;
      };
      const options = { failure: 0.002, gapLimit: 5, ttlMax: 32 };
      tally(
        ours,
        routed.map((subnets) => exploreShared(net, subnets, options)),
      );
      const answer = (subnet: number) => (flow: number, ttl: number) => net.reply(subnet, flow, ttl);
      tally(
        theirs,
        routed.flat().map((subnet) => exploreDiamondMiner(answer(subnet), 32, plain)),
      );
      total += truth.size;
    }
    return { share: ours.found / total, ratio: ours.probes / ours.found / (theirs.probes / theirs.found) };
  }

  test("shared stopping points find all but few links, for far fewer probes a link than Diamond-Miner", () => {
    const { share, ratio } = compare(0);
    expect(share).toBeGreaterThan(0.999);
    expect(ratio).toBeLessThan(0.4);
  }, 20_000);

  test("also when a probe of 20 is lost", () => {
    const { share, ratio } = compare(0.05);
    expect(share).toBeGreaterThan(0.99);
    expect(ratio).toBeLessThan(0.5);
  }, 20_000);
});

test("a graph's file: comments are passed over, a bad line is named", () => {
  expect(readGraph("# source first\n127.0.0.1 a\n\na b\n")).toEqual([
    [0, 1],
    [1, 2],
  ]);
  expect(() => readGraph("a b\na\n")).toThrow("line 2");
});
