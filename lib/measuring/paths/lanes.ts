/**
 * Draws where flows split and merge: a lane for each router of a hop, a joint where the lanes change.
 *
 *      2  ●     10.0.0.2
 *         ├─╮
 *      3  ● │   10.0.1.3
 *      3  │ ●   10.0.2.3
 *         ├─╯
 *      4  ●     10.0.0.4
 */
import type { Hop, HopNode } from "./hops.ts";

/** The lanes of one node's line: `mark` in its own lane, a line in the others. */
export function laneMarks(hop: Hop, index: number, mark: string): string {
  return hop.nodes.map((_, i) => (i === index ? mark : "│")).join(" ");
}

/** Where a lane has a line: from above, to below, or both. */
type Ends = "both" | "up" | "down" | "none";

/** The signs of a joint at its left end, at its right end, and between. */
const signs: Readonly<Record<"left" | "right" | "middle", Readonly<Record<Ends, string>>>> = {
  left: { both: "├", up: "╰", down: "╭", none: " " },
  right: { both: "┤", up: "╯", down: "╮", none: " " },
  middle: { both: "┼", up: "┴", down: "┬", none: "─" },
};

/**
 * The line between two hops; null where every flow stays in its lane. A lane ends when all its flows have.
 */
export function laneJoint(above: Hop | undefined, below: Hop): string | null {
  const goesOn = above === undefined ? [true] : above.nodes.map((node) => leadsOn(node, below));
  if (above?.nodes.length === below.nodes.length && staysInLanes(above, below)) {
    return null;
  }
  const lanes = Math.max(goesOn.length, below.nodes.length);
  const ends = Array.from({ length: lanes }, (_, i) => endsOf(goesOn[i] === true, i < below.nodes.length));
  const left = ends.findIndex((end) => end !== "none");
  const right = ends.findLastIndex((end) => end !== "none");
  const drawn = ends.map((end, i) => sign(end, i, left, right)).slice(0, right + 1);
  return left === right ? null : drawn.reduce((line, next, i) => `${line}${i > left ? "─" : " "}${next}`);
}

function endsOf(up: boolean, down: boolean): Ends {
  if (up && down) {
    return "both";
  }
  if (up) {
    return "up";
  }
  return down ? "down" : "none";
}

function sign(end: Ends, lane: number, left: number, right: number): string {
  if (lane <= left) {
    return signs.left[end];
  }
  return lane === right ? signs.right[end] : signs.middle[end];
}

function leadsOn({ flows }: HopNode, below: Hop): boolean {
  return below.nodes.some((node) => node.flows.some((flow) => flows.includes(flow)));
}

function staysInLanes(above: Hop, below: Hop): boolean {
  return above.nodes.length === 1 || above.nodes.every((node, i) => sameFlows(node, below.nodes[i]));
}

function sameFlows(a: HopNode, b: HopNode | undefined): boolean {
  return a.flows.length === b?.flows.length && a.flows.every((flow, i) => flow === b.flows[i]);
}
