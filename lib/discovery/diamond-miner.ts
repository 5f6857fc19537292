/**
 * Diamond-Miner as published (NSDI 2020) and as its library does it: how many flows a prefix needs at each TTL.
 *
 * In each round, of the links between TTL t and t + 1 that are known so far, L(t), as many flows are needed at t as a
 * single node with L(t) successors would need; at t + 1 as many, so that both ends of a flow's link are seen. It does
 * not look at single nodes, so it misses an uneven balancer below an even one.
 */
import { linksByTtl, pathsOf, type TraceReply } from "./links.ts";
import { type Failure, failurePerNode, flowsNeeded } from "./stopping-points.ts";

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
