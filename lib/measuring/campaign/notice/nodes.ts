/**
 * Which router forwards flows to which: the usual state, learned over runs, and how a run deviates from it.
 *
 * A balancer that redistributes its flows must not count as a change. So a router is judged only when enough flows
 * cross it to show all its next hops, by its stopping point (lib/measuring/discovery/stopping-points.ts); and next
 * hops' shares count as changed only when they are anticorrelated with the usual ones.
 */
import { flowsNeeded } from "../../discovery/stopping-points.ts";
import type { Hops } from "./series-run.ts";

interface Node {
  /** Number of runs that it was learned from. */
  readonly runs: number;
  /** Most flows of a run that were seen to leave it. */
  readonly flows: number;
  /** Flows to each next hop, smoothed over runs. */
  readonly next: Readonly<Record<string, number>>;
}

/** By router address. */
export type Nodes = Readonly<Record<string, Node>>;

/** A next hop that did not respond. */
const silent = "*";

const learnedRunsMin = 3;
const weight = 0.05;
/** Probability that a next hop of a router was missed at its stopping point. */
const failure = 0.01;
/** Routers that are kept per series: enough for 32 hops with eight branches each. */
const nodesMax = 256;

/** Flows from each router to each next hop in one run. */
export type NextHops = ReadonlyMap<string, ReadonlyMap<string, number>>;

export function nextHopsOf(flows: readonly Hops[]): NextHops {
  const nodes = new Map<string, Map<string, number>>();
  for (const hops of flows) {
    for (const [ttl, near] of hops) {
      const far = hops.get(ttl + 1);
      if (near !== null && far !== undefined && far !== near) {
        const counts = nodes.get(near) ?? new Map<string, number>();
        nodes.set(near, counts.set(far ?? silent, (counts.get(far ?? silent) ?? 0) + 1));
      }
    }
  }
  return nodes;
}

/** Whether all of a router's next hops are known: another one is then a change, not a branch missed so far. */
export function isKnownWhole(node: Node | undefined): node is Node {
  return (
    node !== undefined &&
    node.runs >= learnedRunsMin &&
    node.flows >= flowsNeeded(answering(node.next), failure)
  );
}

function answering(next: Readonly<Record<string, number>>): number {
  return Object.keys(next).length - (silent in next ? 1 : 0);
}

interface Link {
  readonly near: string;
  readonly far: string;
}

/** New links in the run, at routers all of whose next hops are known. */
export function newLinks(nodes: Nodes, run: NextHops): Link[] {
  return [...run].flatMap(([near, counts]) => {
    const node = nodes[near];
    return isKnownWhole(node)
      ? [...counts.keys()]
          .filter((far) => far !== silent && !(far in node.next))
          .map((far) => ({ near, far }))
      : [];
  });
}

interface ShareChange {
  readonly near: string;
  /** From -1 to 1. */
  readonly correlation: number;
}

/**
 * The router whose flows differ most from the usual; null = none can be judged. Routers most of whose flows met silence
 * cannot: those flows' next hops are unknown.
 */
export function leastAlike(nodes: Nodes, run: NextHops): ShareChange | null {
  const found = [...run].flatMap(([near, counts]) => {
    const node = nodes[near];
    const flows = sum(counts.values());
    const isSeen = 2 * (counts.get(silent) ?? 0) < flows;
    const isEnough = flows >= flowsNeeded(1, failure);
    return isKnownWhole(node) && isSeen && isEnough ? [{ near, correlation: alike(node.next, counts) }] : [];
  });
  return found.toSorted((a, b) => a.correlation - b.correlation)[0] ?? null;
}

/**
 * Includes one more next hop without flows: two that swap all their flows give -0.5, and 9 to 7 flows are like 7 to 9.
 * Flows that met silence are left out: loss does not change routes.
 */
function alike(usual: Readonly<Record<string, number>>, run: ReadonlyMap<string, number>): number {
  const fars = [...new Set([...Object.keys(usual), ...run.keys()])].filter((far) => far !== silent);
  return correlation(
    [...fars.map((far) => usual[far] ?? 0), 0],
    [...fars.map((far) => run.get(far) ?? 0), 0],
  );
}

/** Pearson's correlation of two lists of equal length; 0 if the values of one are all equal. */
export function correlation(x: readonly number[], y: readonly number[]): number {
  const [meanX, meanY] = [sum(x) / x.length, sum(y) / y.length];
  const product = sum(x.map((one, i) => (one - meanX) * ((y[i] ?? 0) - meanY)));
  const spread = Math.sqrt(sum(x.map((one) => (one - meanX) ** 2)) * sum(y.map((one) => (one - meanY) ** 2)));
  return spread === 0 ? 0 : product / spread;
}

/** Learns from the run: no new next hop where all are known, and no contrary shares. */
export function learnNodes(nodes: Nodes, run: NextHops, contrary: number): Nodes {
  const learned: Record<string, Node> = { ...nodes };
  for (const [near, counts] of run) {
    const node = nodes[near];
    if (node === undefined) {
      if (Object.keys(learned).length < nodesMax) {
        learned[near] = { runs: 1, flows: seen(counts), next: Object.fromEntries(counts) };
      }
      continue;
    }
    const isWhole = isKnownWhole(node);
    const isStrange = isWhole && [...counts.keys()].some((far) => far !== silent && !(far in node.next));
    if (!isStrange && !(isWhole && alike(node.next, counts) < contrary)) {
      learned[near] = taught(node, counts);
    }
  }
  return learned;
}

function taught({ runs, flows, next }: Node, counts: ReadonlyMap<string, number>): Node {
  const share = runs < learnedRunsMin ? 1 / (runs + 1) : weight;
  const fars = new Set([...Object.keys(next), ...counts.keys()]);
  const known = [...fars].map((far) => {
    const before = next[far] ?? 0;
    return [far, rounded(before + share * ((counts.get(far) ?? 0) - before))] as const;
  });
  return { runs: runs + 1, flows: Math.max(flows, seen(counts)), next: Object.fromEntries(known) };
}

/** Flows with a responding next hop. */
function seen(counts: ReadonlyMap<string, number>): number {
  return sum(counts.values()) - (counts.get(silent) ?? 0);
}

/** Stored as text. */
function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}

function sum(values: Iterable<number>): number {
  let all = 0;
  for (const value of values) {
    all += value;
  }
  return all;
}
