import { describe, expect, test } from "bun:test";
import type { Hop } from "./hops.ts";
import { laneJoint, laneMarks } from "./lanes.ts";

/** A hop with a node for each list of flows. */
function hop(...flowsOfNodes: number[][]): Hop {
  const empty = { address: null, probes: 0, answered: 0, rtt: null, samplesMs: [], labels: [], kind: null };
  return { ttl: 1, nodes: flowsOfNodes.map((flows) => ({ ...empty, flows })) };
}

describe("a node's line", () => {
  test("has its mark in its own lane, the others pass by", () => {
    const three = hop([0], [1], [2]);
    expect([0, 1, 2].map((index) => laneMarks(three, index, "●"))).toEqual(["● │ │", "│ ● │", "│ │ ●"]);
  });

  test("is the mark alone where there is one lane", () => {
    expect(laneMarks(hop([0]), 0, "○")).toBe("○");
  });
});

describe("between two hops", () => {
  const one = hop([0, 1, 2]);
  const two = hop([0, 2], [1]);
  const three = hop([0], [1], [2]);

  test.each<[string, Hop | undefined, Hop, string | null]>([
    ["nothing where one lane goes on", one, one, null],
    ["nothing where a flow of the one lane ends", one, hop([0, 1]), null],
    ["nothing where each flow stays in its lane", two, hop([0, 2], [1]), null],
    ["nothing above a first hop with one lane", undefined, one, null],
    ["one lane parts into two", one, two, "├─╮"],
    ["one lane parts into three", one, three, "├─┬─╮"],
    ["two meet", two, one, "├─╯"],
    ["three meet", three, one, "├─┴─╯"],
    ["two part into three", two, three, "├─┼─╮"],
    ["three meet in two", three, two, "├─┼─╯"],
    ["a lane at the side ends, the other stays", two, hop([0, 2]), null],
    ["the first lane ends, the other takes its place", two, hop([1]), "╭─╯"],
    ["the middle lane ends", three, hop([0], [2]), "├─┬─╯"],
    ["the first lane ends, the others meet", three, hop([1, 2]), "╭─┴─╯"],
    ["flows change lanes", two, hop([0], [1, 2]), "├─┤"],
    ["flows change three lanes", three, hop([0], [2], [1]), "├─┼─┤"],
    ["the first hop already has branches", undefined, two, "├─╮"],
  ])("%s", (_what, above, below, drawn) => {
    expect(laneJoint(above, below)).toBe(drawn);
  });
});
