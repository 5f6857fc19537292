/**
 * Draws where flows part and meet again: a lane for each router of a hop, a joint where the lanes change.
 *
 *      2  ●     10.0.0.2
 *         ├─╮
 *      3  ● │   10.0.1.3
 *      3  │ ●   10.0.2.3
 *         ├─╯
 *      4  ●     10.0.0.4
 */
import type { Hop, HopNode } from "./hops.ts";

/** The marks of one node's line: its own lane has the mark, the others pass by. */
export function laneMarks(hop: Hop, index: number, mark: string): string {
  return hop.nodes.map((_, i) => (i === index ? mark : "│")).join(" ");
}

/** The line between two hops; null where every flow stays in its lane. */
export function joint(above: Hop | undefined, below: Hop): string | null {
  if (above === undefined) {
    return below.nodes.length > 1 ? ends(1, below.nodes.length) : null;
  }
  const same =
    above.nodes.length === below.nodes.length &&
    above.nodes.every((node, i) => sameFlows(node, below.nodes[i]));
  return same || (above.nodes.length === 1 && below.nodes.length === 1)
    ? null
    : ends(above.nodes.length, below.nodes.length);
}

function ends(above: number, below: number): string {
  const widest = Math.max(above, below);
  const lanes = Array.from({ length: widest - 1 }, (_, i) => cross(i + 1, above, below, i + 2 === widest));
  return `├${lanes.map((lane) => `─${lane}`).join("")}`;
}

function cross(lane: number, above: number, below: number, last: boolean): string {
  const up = lane < above;
  const down = lane < below;
  if (up && down) {
    return last ? "┤" : "┼";
  }
  if (down) {
    return last ? "╮" : "┬";
  }
  return last ? "╯" : "┴";
}

function sameFlows(a: HopNode, b: HopNode | undefined): boolean {
  return a.flows.length === b?.flows.length && a.flows.every((flow, i) => flow === b.flows[i]);
}
