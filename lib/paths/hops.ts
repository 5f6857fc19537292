/** The path as people look at it: for each hop, who answered, on which flows, how fast and how often. Pure. */
import { type Address, formatAddress } from "../ip/address.ts";
import type { MplsLabel } from "../packet/reply.ts";
import type { Answer, AnswerKind, Cell, Path } from "./path.ts";

export interface HopNode {
  /** Null = flows on which nobody answered. */
  readonly address: Address | null;
  /** Ascending, from 0. */
  readonly flows: readonly number[];
  /** Probes whose fate is known. */
  readonly probes: number;
  readonly answered: number;
  /** Ascending. */
  readonly rttsMs: readonly number[];
  readonly labels: readonly MplsLabel[];
  /** Of the last answer. */
  readonly kind: AnswerKind | null;
}

export interface Hop {
  readonly ttl: number;
  /** In the order of their first flow; never empty. */
  readonly nodes: readonly HopNode[];
}

interface Growing {
  readonly flows: Set<number>;
  readonly answers: Answer[];
  probes: number;
  readonly address: Address | null;
}

/** The hops from `firstTtl` to the last one worth showing. */
export function hopsOf(path: Path, firstTtl: number): Hop[] {
  const count = Math.max(0, path.lastTtl() - firstTtl + 1);
  return Array.from({ length: count }, (_, i) => hopOf(firstTtl + i, path.cellsOfHop(firstTtl + i)));
}

/**
 * Cells come in the order of their flows, and so do the nodes and the flows of each.
 *
 * A flow belongs to the router that answered it; probes that it lost count against that router, or, where several
 * answered one flow (a router that spreads packets, not flows), against the one that answered most.
 */
function hopOf(ttl: number, cells: readonly Cell[]): Hop {
  const nodes = new Map<string, Growing>();
  for (const cell of cells.filter(({ outcomes }) => outcomes.length > 0)) {
    const answers = cell.outcomes.filter((outcome) => typeof outcome !== "string");
    for (const answer of answers) {
      const node = nodeAt(nodes, answer.from);
      node.flows.add(cell.flow);
      node.answers.push(answer);
      node.probes++;
    }
    const owner = nodeAt(nodes, mostFrequent(answers));
    owner.flows.add(cell.flow);
    owner.probes += cell.outcomes.length - answers.length;
  }
  if (nodes.size === 0) {
    nodeAt(nodes, null);
  }
  return { ttl, nodes: [...nodes.values()].map(toNode) };
}

function nodeAt(nodes: Map<string, Growing>, address: Address | null): Growing {
  const name = address === null ? "" : formatAddress(address);
  const node = nodes.get(name) ?? { address, flows: new Set(), answers: [], probes: 0 };
  nodes.set(name, node);
  return node;
}

function mostFrequent(answers: readonly Answer[]): Address | null {
  const counts = new Map<string, { count: number; from: Address }>();
  for (const { from } of answers) {
    const name = formatAddress(from);
    counts.set(name, { from, count: (counts.get(name)?.count ?? 0) + 1 });
  }
  const [first] = [...counts.values()].sort((a, b) => b.count - a.count);
  return first?.from ?? null;
}

function toNode({ address, flows, answers, probes }: Growing): HopNode {
  const rttsMs = answers.flatMap(({ rttMs }) => (rttMs === null ? [] : [rttMs]));
  return {
    address,
    flows: [...flows],
    probes,
    answered: answers.length,
    rttsMs: rttsMs.sort((a, b) => a - b),
    labels: answers.findLast(({ labels }) => labels.length > 0)?.labels ?? [],
    kind: answers.at(-1)?.kind ?? null,
  };
}

export function median(sorted: readonly number[]): number | null {
  const middle = (sorted.length - 1) / 2;
  const low = sorted[Math.floor(middle)];
  const high = sorted[Math.ceil(middle)];
  return low === undefined || high === undefined ? null : (low + high) / 2;
}

export function lossPercent({ probes, answered }: { probes: number; answered: number }): number {
  return probes === 0 ? 0 : (100 * (probes - answered)) / probes;
}
