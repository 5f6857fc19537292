/**
 * Which router forwards flows to which: the usual state, learned over runs, and how a run deviates from it.
 *
 * A balancer that deals its flows out anew must not look like a change. So a router is judged only when so many flows
 * cross it that all its next hops have been seen, by its stopping point (lib/discovery/stopping-points.ts); and shares
 * of next hops count as changed only when they are the contrary of the usual ones.
 */
import { flowsNeeded } from "../../discovery/stopping-points.ts";
import type { Hops } from "./series-run.ts";

interface Node {
  /** Runs that it was learned from. */
  readonly runs: number;
  /** Most flows of a run that were seen to leave it. */
  readonly flows: number;
  /** Flows to each next hop, smoothed over runs. */
  readonly next: Readonly<Record<string, number>>;
}

/** By the address of the router. */
export type Nodes = Readonly<Record<string, Node>>;

/** A next hop that did not answer. */
const silent = "*";

const learnedRunsMin = 3;
const weight = 0.05;
/** Chance to have missed a next hop of a router at its stopping point. */
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

/** Whether all next hops of a router are known: a further one is a change, and no branch that was not met before. */
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

/** Links of the run that a router which is known whole did not have. */
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
 * The router whose flows go the most unlike usual; null = none can be judged. Routers behind which most flows met
 * silence cannot: where they went is not known.
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
 * With a further next hop that nobody takes: two that swap all their flows give -0.5, and 9 to 7 flows are like 7 to 9.
 * What met silence is left out: loss does not change ways.
 */
function alike(usual: Readonly<Record<string, number>>, run: ReadonlyMap<string, number>): number {
  const fars = [...new Set([...Object.keys(usual), ...run.keys()])].filter((far) => far !== silent);
  return correlation(
    [...fars.map((far) => usual[far] ?? 0), 0],
    [...fars.map((far) => run.get(far) ?? 0), 0],
  );
}

/** Pearson's, of as many values each; 0 where the values of one are all equal. */
export function correlation(x: readonly number[], y: readonly number[]): number {
  const [meanX, meanY] = [sum(x) / x.length, sum(y) / y.length];
  const product = sum(x.map((one, i) => (one - meanX) * ((y[i] ?? 0) - meanY)));
  const spread = Math.sqrt(sum(x.map((one) => (one - meanX) ** 2)) * sum(y.map((one) => (one - meanY) ** 2)));
  return spread === 0 ? 0 : product / spread;
}

/** What the run teaches. A router that is known whole learns no new next hop, and nothing from contrary shares. */
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

/** Flows whose next hop answered. */
function seen(counts: ReadonlyMap<string, number>): number {
  return sum(counts.values()) - (counts.get(silent) ?? 0);
}

/** It is kept as text. */
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
