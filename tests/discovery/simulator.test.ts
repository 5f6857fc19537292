/** The simulator is what its plan says: flows show each link of the drawing and no other; conditions hold. */
import { describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { packReply, ReplyReader, ReplyWriter, unpackReply } from "../bench/discovery/reply-file.ts";
import type { Form } from "./simulator/diamond.ts";
import { GraphNetwork, layeredEdges, readGraph, writeGraph } from "./simulator/graph-network.ts";
import type { InternetPlan } from "./simulator/internet-drawing.ts";
import { LevelledInternet } from "./simulator/levelled-internet.ts";
import { networks } from "./simulator/networks.ts";
import { type Conditions, SimulatedNet } from "./simulator/simulated-net.ts";
import { linkKey, linksOf, type Topology } from "./simulator/topology.ts";
import { ToyInternet } from "./simulator/toy-internet.ts";

const all: Readonly<Record<Exclude<Form, "plain">, number>> = {
  even: 0.3,
  parallel: 0.1,
  tree: 0.1,
  uneven: 0.2,
  mesh: 0.1,
};
const plan: InternetPlan = {
  units: 3,
  subnetsEach: 4,
  seed: 5,
  core: { diamonds: [2, 3], forms: all, width: 4 },
  transit: { count: 2, diamonds: [1, 2], forms: all, width: 4 },
  routed: { diamonds: [1, 2], forms: all, width: 6 },
  tail: { diamonds: [1, 3], forms: {}, width: 2 },
};
const clear: Conditions = { seed: 1, probesPerSec: 1000, roundGapSec: 1 };

/** What so many flows to each subnet show, by looking at all of them. */
function exhaustive(topology: Topology, flows: number, epochs: readonly number[]): Set<number> {
  const links = new Set<number>();
  const ttlMax = topology.length + 2;
  for (let subnet = 0; subnet < topology.units * topology.subnetsEach; subnet++) {
    for (let flow = 0; flow < flows; flow++) {
      for (const epoch of epochs) {
        let near = 0;
        for (let ttl = 1; ttl <= ttlMax; ttl++) {
          const far = topology.nodeAt(subnet, flow, ttl, epoch);
          if (near !== 0 && far !== 0) {
            links.add(linkKey(near, far));
          }
          near = far;
        }
      }
    }
  }
  return links;
}

describe("links by enumeration are those that flows show", () => {
  const more: Partial<InternetPlan>[] = [
    {},
    { seed: 6, weighted: 1 },
    { seed: 7, perDestination: 1 },
    { seed: 8, grouped: 1 },
    { seed: 9, narrowed: 1, units: 8, routed: { diamonds: [1, 1], forms: { even: 1 }, width: 8 } },
    { seed: 10, looping: 0.5 },
    { seed: 11, changing: 0.6 },
  ];
  test.each(more)("in an Internet of %p", (extra) => {
    const topology = new LevelledInternet({ ...plan, ...extra });
    // Weighted branches of six get a twelfth each.
    expect(exhaustive(topology, 200, [0, 1])).toEqual(linksOf(topology));
  });

  test("in the toy and in a graph", () => {
    const graph = new GraphNetwork(layeredEdges([2, 4, 3]), 1);
    expect(exhaustive(graph, 200, [0])).toEqual(linksOf(graph));
    const toy = new ToyInternet({ routedPrefixes: 3, subnets: 4, seed: 7 });
    expect(exhaustive(toy, 60, [0])).toEqual(linksOf(toy));
  });
});

test("subnets of a routed prefix share its routers; grouped ones do not", () => {
  const routersOf = (extra: Partial<InternetPlan>) => {
    const net = new LevelledInternet({ ...plan, core: { ...plan.core, diamonds: [1, 1] }, ...extra });
    const own = [...linksOf(net)].filter((key) => net.isOwn(Math.floor(key / 2 ** 26)));
    return own.length;
  };
  expect(routersOf({ grouped: 1 })).toBeGreaterThan(1.5 * routersOf({}));
});

test("a per-destination balancer looks at addresses only: ports show nothing new", () => {
  const net = new LevelledInternet({ ...plan, perDestination: 1 });
  for (let ttl = 1; ttl < net.length; ttl++) {
    expect(net.nodeAt(0, 255, ttl, 0)).toBe(net.nodeAt(0, 999, ttl, 0));
  }
});

test("millions of prefixes are stored nowhere, and have routers of their own", () => {
  const units = 500_000;
  const large = { ...plan, units, subnetsEach: 8 };
  expect(() => new LevelledInternet(large)).toThrow("Cannot number");
  const net = new LevelledInternet(large, 2 ** 31);
  const last = new Set<number>();
  for (let unit = 0; unit < units; unit += 1000) {
    let ttl = 1;
    while (net.nodeAt(unit * 8 + 7, 0, ttl + 1, 0) !== 0) {
      ttl++;
    }
    last.add(net.nodeAt(unit * 8 + 7, 0, ttl, 0));
  }
  expect(last.size).toBe(500);
});

describe("conditions", () => {
  const topology = new GraphNetwork(layeredEdges([1, 1]), 1);

  test("an answer of so many is lost, by chance", () => {
    const net = new SimulatedNet(topology, { ...clear, loss: 0.05 });
    const answered = Array.from({ length: 20_000 }, (_, flow) => net.probe(0, flow, 1)).filter(
      (n) => n === 1,
    );
    expect(answered.length / 20_000).toBeWithin(0.94, 0.96);
    expect([net.probes, net.busiest]).toEqual([20_000, 20_000]);
  });

  test("what is lost in a round may come in the next", () => {
    const net = new SimulatedNet(topology, { ...clear, loss: 0.5 });
    const round = () => Array.from({ length: 64 }, (_, flow) => net.probe(0, flow, 1)).join();
    const [first, again] = [round(), round()];
    net.endRound();
    expect([again === first, round() === first]).toEqual([true, false]);
  });

  test("a limited router answers its burst, then so many a second, and again after a pause", () => {
    const net = new SimulatedNet(topology, { ...clear, limited: { share: 1, perSec: 100, burst: 10 } });
    const answers = (probes: number) =>
      Array.from({ length: probes }, (_, flow) => net.probe(0, flow, 1)).filter((n) => n !== 0).length;
    // 1,000 probes take a second.
    expect(answers(1000)).toBeWithin(105, 112);
    net.endRound();
    expect(answers(10)).toBe(10);
  });

  test("a silent router never answers, but the packets are counted; one that amplifies answers twice", () => {
    const net = new SimulatedNet(topology, { ...clear, silent: 1, amplifying: 1 });
    expect([net.probe(0, 0, 1), net.answers(1), net.busiest, net.copiesOf(1)]).toEqual([0, false, 1, 2]);
  });

  test("routes change at their time", () => {
    const changing = new LevelledInternet({ ...plan, seed: 11, changing: 1 });
    const net = new SimulatedNet(changing, { ...clear, changeAtSec: 1.5 });
    const path = () => Array.from({ length: changing.length }, (_, i) => net.probe(0, 0, i + 1)).join();
    const before = path();
    net.endRound();
    net.endRound();
    expect(path()).not.toBe(before);
  });
});

test.each(Object.entries(networks))("the network %s is another one for each seed", (_, { what, make }) => {
  const links = [1, 2].map((seed) => linksOf(make(seed).topology));
  expect([...(links[0] ?? [])]).not.toEqual([...(links[1] ?? [])]);
  expect(Math.min(...links.map(({ size }) => size))).toBeGreaterThan(500);
  expect(what).not.toBe("");
});

test("replies come back from a file as they went in, unit by unit", () => {
  const folder = mkdtempSync(join(tmpdir(), "vantage-replies-"));
  const path = join(folder, "replies");
  const words = [packReply(7, 4350, 63), 2 ** 31 - 1, packReply(0, 0, 1), 0];
  {
    using writer = new ReplyWriter(path);
    writer.write(3, Uint32Array.from(words.slice(0, 2)), Uint32Array.from(words.slice(2)));
    writer.write(9);
  }
  using reader = new ReplyReader(path);
  expect([reader.next(), reader.unit, [...reader.replies]]).toEqual([true, 3, words]);
  expect([reader.next(), reader.unit, reader.replies.length, reader.next()]).toEqual([true, 9, 0, false]);
  expect(unpackReply(words[0] ?? 0)).toEqual({ subnet: 7, flow: 4350, ttl: 63 });
  rmSync(folder, { recursive: true });
});

test("a graph's file reads as it was written", () => {
  const edges = layeredEdges([1, 3, 2]);
  const text = writeGraph(edges);
  expect(text.split("\n")[0]).toBe("127.0.0.1 10.0.0.1");
  expect(readGraph(text)).toEqual(edges);
});
