/**
 * Diamond-Miner as published (NSDI 2020) and as its library does it: how many flows a prefix needs at each TTL.
 *
 * In each round, of the links between TTL t and t + 1 that are known so far, L(t), as many flows are needed at t as a
 * single node with L(t) successors would need; at t + 1 as many, so that both ends of a flow's link are seen. It does
 * not look at single nodes, so it misses an uneven balancer below an even one.
 */
import { type FlowPath, FlowPaths } from "./flow-paths.ts";
import { linksByTtl, pathsOf, type TraceReply } from "./links.ts";
import { type Failure, failurePerNode, flowsNeeded } from "./stopping-points.ts";
import type { RoundProbe, RoundReply, Strategy, StrategyOptions, Unit } from "./strategy.ts";

export interface DiamondMinerOptions {
  readonly failure: Failure;
  /** Share the failure among the links of the widest hop (Iris does, the library by itself does not). */
  readonly isAdaptive: boolean;
}

/** Flows 0 … count - 1 have been sent, or are to be, at a TTL. */
type FlowCounts = ReadonlyMap<number, number>;

/** The first round: so many flows at each TTL. */
export const firstRoundFlows = 6;

/** The authors' limit: a path that is not settled after ten rounds changes while it is measured. */
export const roundsMax = 10;

/**
 * How many flows each TTL needs in all, from the replies so far: routers' time exceeded only, no replies of the
 * target.
 *
 * TTLs at which no link begins or ends are left out. A count never falls below what was sent.
 */
export function diamondMinerFlows(
  replies: Iterable<TraceReply>,
  sent: FlowCounts,
  { failure, isAdaptive }: DiamondMinerOptions,
): Map<number, number> {
  const links = linksByTtl(pathsOf(replies));
  const widest = Math.max(0, ...[...links.values()].map((set) => set.size));
  const own = isAdaptive ? failurePerNode(failure, widest) : failure;
  const needs = (ttl: number) => flowsNeeded(links.get(ttl)?.size ?? 0, own);
  const wanted = new Map<number, number>();
  for (const near of links.keys()) {
    for (const ttl of [near, near + 1]) {
      wanted.set(ttl, Math.max(needs(ttl), needs(ttl - 1), sent.get(ttl) ?? 0));
    }
  }
  return new Map([...wanted].sort(([x], [y]) => x - y));
}

export const diamondMinerStrategy: Strategy = {
  name: "diamond-miner",
  sentence:
    "All paths to each subnet, as many flows at each TTL as its links ask for; first six at every TTL.",
  usesSeenNodes: false,
  sharesSubnets: false,
  next: diamondMinerProbes,
};

function diamondMinerProbes(
  replies: Iterable<RoundReply>,
  unit: Unit,
  options: StrategyOptions,
): RoundProbe[] {
  const paths = new FlowPaths(replies);
  return unit.subnets.flatMap((subnet) => {
    const own = paths.of(subnet);
    const isOver = unit.round >= options.roundsMax || own.some((path) => path.isAmplified);
    const counts = isOver ? new Map<number, number>() : flowCounts(own, options);
    return [...counts].flatMap(([ttl, count]) =>
      Array.from({ length: Math.min(count, options.flowsMax) }, (_, flow) => ({ subnet, flow, ttl })).filter(
        ({ flow }) => paths.get(subnet, flow)?.isAsked(ttl) !== true,
      ),
    );
  });
}

/** How many flows each TTL needs in all. */
function flowCounts(paths: readonly FlowPath[], options: StrategyOptions): Map<number, number> {
  const counts = new Map<number, number>();
  for (let ttl = options.ttlMin; ttl <= lastTtl(paths, options); ttl++) {
    counts.set(ttl, firstRoundFlows);
  }
  const failure = (100 - options.confidencePercent) / 100;
  for (const [ttl, count] of diamondMinerFlows(answersOf(paths), new Map(), { failure, isAdaptive: true })) {
    if (ttl >= options.ttlMin && ttl <= options.ttlMax) {
      counts.set(ttl, Math.max(count, counts.get(ttl) ?? 0));
    }
  }
  return counts;
}

/** The end of the windows that are open: the next one opens when any router of the last has answered. */
function lastTtl(paths: readonly FlowPath[], { ttlMin, ttlMax, windowTtls }: StrategyOptions): number {
  const lastNode = Math.max(0, ...paths.map((path) => path.lastNode));
  const size = windowTtls === 0 ? ttlMax : windowTtls;
  const full = lastNode < ttlMin ? 0 : Math.floor((lastNode - ttlMin) / size) + 1;
  return Math.min(ttlMax, ttlMin - 1 + (full + 1) * size);
}

function* answersOf(paths: readonly FlowPath[]): Generator<TraceReply> {
  for (const path of paths) {
    for (let ttl = 1; ttl <= path.lastNode; ttl++) {
      const node = path.node(ttl);
      if (node >= 0) {
        yield { flow: path.flow, ttl, node };
      }
    }
  }
}
