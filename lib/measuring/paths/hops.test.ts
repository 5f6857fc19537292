import { describe, expect, test } from "bun:test";
import { address, formatAddress } from "../../net/ip/address.ts";
import type { MplsLabel } from "../../net/packet/reply.ts";
import { type HopNode, hopsOf, lossPercent } from "./hops.ts";
import { type Outcome, Path } from "./path.ts";
import { rttSummary } from "./rtt-summary.ts";

const target = address("203.0.113.10");
const label: MplsLabel = { label: 24015, exp: 0, bottomOfStack: true, ttl: 1 };

function from(text: string, rttMs: number | null = 1, labels: readonly MplsLabel[] = []): Outcome {
  return { from: address(text), rttMs, labels, kind: { kind: "ttl_exceeded" } };
}

/** One hop, TTL 1, with the outcomes of each flow; "waiting" = sent, outcome not known yet. */
function nodesOf(...flows: (Outcome | "waiting")[][]): readonly HopNode[] {
  const path = new Path(target, flows.length);
  for (const [flow, outcomes] of flows.entries()) {
    for (const outcome of outcomes) {
      path.markSent(flow, 1, { atMs: 0, source: null });
      if (outcome !== "waiting") {
        path.record(flow, 1, outcome);
      }
    }
  }
  path.markSent(0, 2, { atMs: 0, source: null });
  path.record(0, 2, from("10.9.9.9"));
  return hopsOf(path, 1)[0]?.nodes ?? [];
}

function brief({ address: from, flows, probes, answered }: HopNode) {
  return { from: from === null ? null : formatAddress(from), flows, probes, answered };
}

test("a router has the flows that it answered, and all their figures", () => {
  const [node, ...others] = nodesOf([from("10.0.0.1", 3), from("10.0.0.1", 1)], [from("10.0.0.1", 2)]);
  expect(others).toEqual([]);
  expect(node).toEqual({
    address: address("10.0.0.1"),
    flows: [0, 1],
    probes: 3,
    answered: 3,
    rtt: rttSummary([[3, 1], [2]]),
    samplesMs: [1, 2, 3],
    labels: [],
    kind: { kind: "ttl_exceeded" },
  });
});

test("branches stand in the order of their first flow", () => {
  const nodes = nodesOf([from("10.0.0.2")], [from("10.0.0.1")], [from("10.0.0.2")]);
  expect(nodes.map(brief)).toEqual([
    { from: "10.0.0.2", flows: [0, 2], probes: 2, answered: 2 },
    { from: "10.0.0.1", flows: [1], probes: 1, answered: 1 },
  ]);
});

describe("probes without an answer count", () => {
  test("against the router that answers their flow", () => {
    const nodes = nodesOf([from("10.0.0.1"), "lost", "lost"], [from("10.0.0.2")]);
    expect(nodes.map(brief)).toEqual([
      { from: "10.0.0.1", flows: [0], probes: 3, answered: 1 },
      { from: "10.0.0.2", flows: [1], probes: 1, answered: 1 },
    ]);
  });

  test("against the one that answers most where several answer one flow", () => {
    const nodes = nodesOf([from("10.0.0.1"), from("10.0.0.2"), from("10.0.0.2"), "lost"]);
    expect(nodes.map(brief)).toEqual([
      { from: "10.0.0.1", flows: [0], probes: 1, answered: 1 },
      { from: "10.0.0.2", flows: [0], probes: 3, answered: 2 },
    ]);
  });

  test("against the lowest address of those that answer as much", () => {
    const nodes = nodesOf([from("10.0.0.2"), from("10.0.0.1"), "lost"]);
    expect(nodes.map(brief)).toEqual([
      { from: "10.0.0.1", flows: [0], probes: 2, answered: 1 },
      { from: "10.0.0.2", flows: [0], probes: 1, answered: 1 },
    ]);
  });

  test("against nobody where nobody answers the flow", () => {
    const nodes = nodesOf([from("10.0.0.1")], ["lost", "lost"]);
    expect(nodes.map(brief)).toEqual([
      { from: "10.0.0.1", flows: [0], probes: 1, answered: 1 },
      { from: null, flows: [1], probes: 2, answered: 0 },
    ]);
  });

  test("not before their outcome is known", () => {
    expect(nodesOf([from("10.0.0.1"), "waiting"], ["waiting"]).map(brief)).toEqual([
      { from: "10.0.0.1", flows: [0], probes: 1, answered: 1 },
    ]);
  });
});

test("a hop without outcomes has one empty node", () => {
  expect(nodesOf(["waiting"]).map(brief)).toEqual([{ from: null, flows: [], probes: 0, answered: 0 }]);
});

test("an answer whose RTT is unknown still counts as an answer", () => {
  const [node] = nodesOf([from("10.0.0.1", null), from("10.0.0.1", 2)]);
  expect(node?.answered).toBe(2);
  expect(node?.samplesMs).toEqual([2]);
});

test("labels are kept when a later answer has none", () => {
  expect(nodesOf([from("10.0.0.1", 1, [label]), from("10.0.0.1")])[0]?.labels).toEqual([label]);
});

test("hops run from the first TTL to the last one worth showing", () => {
  const path = new Path(target, 1);
  path.markSent(0, 6, { atMs: 0, source: null });
  path.record(0, 6, from("10.0.0.6"));
  expect(hopsOf(path, 5).map(({ ttl }) => ttl)).toEqual([5, 6]);
  expect(hopsOf(path, 7)).toEqual([]);
});

test("loss is in percent of the probes whose outcome is known", () => {
  expect(lossPercent({ probes: 4, answered: 3 })).toBe(25);
  expect(lossPercent({ probes: 0, answered: 0 })).toBe(0);
});
