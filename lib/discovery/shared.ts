/**
 * Stopping points shared by (node, routed prefix): our own strategy.
 *
 * One forwarding entry serves a routed prefix, so a balancer on the way to it treats the flows to all of its subnets
 * (/24s, /64s) alike, and each of them is evidence about the same node. So a node is probed once for the routed
 * prefix, not once for each subnet. Where routing differs inside the routed prefix, it shows: subnets then have
 * successors of their own at a node. Subnets whose sets of successors overlap are one group, and each group is asked
 * by itself; a group that is only thought to be one comes apart, or together, as soon as a flow shows it.
 *
 * Flows that are known to cross a node are used first, the subnet with the fewest flows first; new flows are sent to
 * the node's own TTL and to the next one at once. A hop that does not answer twice is a node of its own behind the
 * one before it; one that was silent once is asked again, as its answer may have been lost.
 */
import { type Failure, flowsNeeded } from "./stopping-points.ts";
import type { RoundProbe, RoundReply, Strategy, StrategyOptions, Unit } from "./strategy.ts";

/** A probe that was sent; `node` null = no answer. */
export interface SharedReply {
  readonly subnet: number;
  readonly flow: number;
  readonly ttl: number;
  readonly node: number | null;
}

interface SharedProbe {
  readonly subnet: number;
  readonly flow: number;
  readonly ttl: number;
}

export interface SharedOptions {
  readonly failure: Failure;
  /** A path ends after this many silent hops in a row. */
  readonly gapLimit: number;
  readonly ttlMax: number;
}

export const sharedStrategy: Strategy = {
  name: "shared",
  sentence:
    "All paths to a routed prefix, node by node, where each of its subnets is evidence about the nodes that it shares.",
  usesSeenNodes: false,
  sharesSubnets: true,
  next: unitProbes,
};

function unitProbes(replies: Iterable<RoundReply>, unit: Unit, options: StrategyOptions): RoundProbe[] {
  const { ttlMax, gapLimit, confidencePercent } = options;
  if (unit.round >= options.roundsMax) {
    return [];
  }
  const sorted = [...replies].sort((x, y) => x.subnet - y.subnet || x.flow - y.flow || x.ttl - y.ttl);
  const failure = (100 - confidencePercent) / 100;
  return sharedProbes(sorted, unit.subnets, { failure, gapLimit, ttlMax });
}

/**
 * Flows of one subnet, at most: a node that 256 flows do not cross again is not behind this hop any more. An even
 * balancer of 16 needs 90 for all subnets together.
 */
const flowsMax = 256;
/** Flows that must find a hop silent: one alone may have lost both of its answers. */
const silentFlowsMin = 2;

/** One flow to one subnet: who answered at each TTL, null where nobody did. */
interface FlowPath {
  readonly subnet: number;
  readonly flow: number;
  readonly hops: Map<number, number | null>;
  /** TTLs that were silent, with how often. */
  readonly silences: Map<number, number>;
}

/** Probes without an answer after which a hop is silent: with 5 % loss, 1 of 400 hops that do answer seems so. */
const silencesMin = 2;

/**
 * The probes to send in the next round, from everything known of one routed prefix; empty = done.
 *
 * @param subnets all subnets of the routed prefix, including those not probed yet
 */
export function sharedProbes(
  replies: Iterable<SharedReply>,
  subnets: readonly number[],
  options: SharedOptions,
): SharedProbe[] {
  const paths = flowPaths(replies);
  const probes = new Map<string, SharedProbe>();
  const want = (subnet: number, flow: number, ttl: number) => {
    if (ttl <= options.ttlMax && !paths.get(pathKey(subnet, flow))?.hops.has(ttl)) {
      probes.set(`${subnet}/${flow}/${ttl}`, { subnet, flow, ttl });
    }
  };
  firstPaths(paths, subnets, options, want);
  askAgain(paths.values(), probes);
  if (probes.size > 0) {
    return [...probes.values()];
  }
  const fresh = new FreshFlows(paths.values());
  for (const crossing of nodesOf(paths.values(), options)) {
    for (const group of groupsOf(crossing)) {
      ask(group, crossing.ttl, options.failure, fresh, want);
    }
  }
  return [...probes.values()];
}

type Want = (subnet: number, flow: number, ttl: number) => void;

/** Flow 0 of each subnet, as far as it goes. */
function firstPaths(
  paths: ReadonlyMap<string, FlowPath>,
  subnets: readonly number[],
  { gapLimit, ttlMax }: SharedOptions,
  want: Want,
): void {
  for (const subnet of subnets) {
    const hops = paths.get(pathKey(subnet, 0))?.hops ?? new Map<number, number | null>();
    const last = Math.min(ttlMax, lastAnswer(hops) + gapLimit);
    for (let ttl = 1; ttl <= last; ttl++) {
      want(subnet, 0, ttl);
    }
  }
}

/** Hops that were silent once, before an answer or right behind the last one. */
function askAgain(paths: Iterable<FlowPath>, probes: Map<string, SharedProbe>): void {
  for (const { subnet, flow, hops, silences } of paths) {
    const last = lastAnswer(hops);
    for (const [ttl, count] of silences) {
      if (ttl <= last + 1 && hops.get(ttl) === null && count < silencesMin) {
        probes.set(`${subnet}/${flow}/${ttl}`, { subnet, flow, ttl });
      }
    }
  }
}

/** Flows through a node at a TTL. */
interface Crossing {
  readonly ttl: number;
  readonly paths: readonly FlowPath[];
}

/** Each node that something lies behind, with the flows that are known to cross it. */
function nodesOf(paths: Iterable<FlowPath>, { gapLimit }: SharedOptions): Crossing[] {
  const nodes = new Map<string, { ttl: number; paths: FlowPath[] }>();
  for (const path of paths) {
    const end = lastAnswer(path.hops) + (path.flow === 0 ? 0 : gapLimit);
    for (const [ttl, node] of path.hops) {
      const key = node === null ? silentKey(path.hops, ttl) : `${ttl}/${node}`;
      if (key !== null && (node !== null || ttl < end)) {
        const known = nodes.get(key) ?? { ttl, paths: [] };
        nodes.set(key, known);
        known.paths.push(path);
      }
    }
  }
  return [...nodes].flatMap(([key, crossing]) => {
    const isNode = !key.includes("silent") || crossing.paths.length >= silentFlowsMin;
    return isNode && crossing.paths.some(({ hops }) => lastAnswer(hops) > crossing.ttl) ? [crossing] : [];
  });
}

/** A silent hop, named by the last node that answers before it; null = nobody does, or it was not asked. */
function silentKey(hops: ReadonlyMap<number, number | null>, ttl: number): string | null {
  for (let before = ttl - 1; before > 0 && hops.has(before); before--) {
    const node = hops.get(before) ?? null;
    if (node !== null) {
      return `${ttl}/silent behind ${before}/${node}`;
    }
  }
  return null;
}

/** Subnets whose successors overlap belong together; those without a known successor belong to every group. */
function groupsOf({ ttl, paths }: Crossing): FlowPath[][] {
  const groups: { readonly successors: Set<number>; readonly paths: FlowPath[] }[] = [];
  const bySubnet = new Map<number, FlowPath[]>();
  for (const path of paths) {
    bySubnet.set(path.subnet, [...(bySubnet.get(path.subnet) ?? []), path]);
  }
  for (const own of bySubnet.values()) {
    const successors = successorsOf(own, ttl);
    const [first, ...others] = groups.filter(
      (group) => successors.size === 0 || [...successors].some((node) => group.successors.has(node)),
    );
    if (first === undefined) {
      groups.push({ successors, paths: own });
      continue;
    }
    for (const group of successors.size === 0 ? [] : others) {
      first.paths.push(...group.paths);
      addAll(first.successors, group.successors);
      groups.splice(groups.indexOf(group), 1);
    }
    first.paths.push(...own);
    addAll(first.successors, successors);
  }
  return groups.map((group) => group.paths);
}

function addAll(to: Set<number>, from: Iterable<number>): void {
  for (const node of from) {
    to.add(node);
  }
}

function successorsOf(paths: readonly FlowPath[], ttl: number): Set<number> {
  return new Set(paths.flatMap(({ hops }) => hops.get(ttl + 1) ?? []));
}

/** Adds the probes behind a node that a group still needs. */
function ask(group: readonly FlowPath[], ttl: number, failure: Failure, fresh: FreshFlows, want: Want): void {
  const asked = group.filter(({ hops }) => hops.has(ttl + 1));
  const needed = flowsNeeded(successorsOf(group, ttl).size, failure);
  let lacking = needed - asked.length;
  for (const { subnet, flow } of group.filter(({ hops }) => !hops.has(ttl + 1))) {
    if (lacking > 0) {
      want(subnet, flow, ttl + 1);
      lacking--;
    }
  }
  for (const subnet of fresh.rotation(
    group.map((path) => path.subnet),
    lacking,
  )) {
    const flow = fresh.take(subnet);
    want(subnet, flow, ttl);
    want(subnet, flow, ttl + 1);
  }
}

/** Flows that no probe was sent with yet, the subnets in turns. */
class FreshFlows {
  readonly #next = new Map<number, number>();

  constructor(paths: Iterable<FlowPath>) {
    for (const { subnet, flow } of paths) {
      this.#next.set(subnet, Math.max(this.#next.get(subnet) ?? 0, flow + 1));
    }
  }

  /** Which subnets give the next flows: those that have given the fewest. */
  rotation(subnets: readonly number[], count: number): number[] {
    const unused = [...new Set(subnets)].filter((subnet) => (this.#next.get(subnet) ?? 0) < flowsMax);
    const distinct = unused.sort((x, y) => (this.#next.get(x) ?? 0) - (this.#next.get(y) ?? 0));
    const length = distinct.length === 0 ? 0 : Math.max(0, count);
    return Array.from({ length }, (_, i) => distinct[i % distinct.length] ?? 0);
  }

  take(subnet: number): number {
    const flow = this.#next.get(subnet) ?? 0;
    this.#next.set(subnet, flow + 1);
    return flow;
  }
}

function flowPaths(replies: Iterable<SharedReply>): Map<string, FlowPath> {
  const paths = new Map<string, FlowPath>();
  for (const { subnet, flow, ttl, node } of replies) {
    const key = pathKey(subnet, flow);
    const path = paths.get(key) ?? { subnet, flow, hops: new Map(), silences: new Map() };
    paths.set(key, path);
    path.hops.set(ttl, node ?? path.hops.get(ttl) ?? null);
    if (node === null) {
      path.silences.set(ttl, (path.silences.get(ttl) ?? 0) + 1);
    }
  }
  return paths;
}

function pathKey(subnet: number, flow: number): string {
  return `${subnet}/${flow}`;
}

/** The farthest TTL with an answer; 0 = none. */
function lastAnswer(hops: ReadonlyMap<number, number | null>): number {
  let last = 0;
  for (const [ttl, node] of hops) {
    last = node !== null && ttl > last ? ttl : last;
  }
  return last;
}
