/**
 * Diamond-Miner as published (NSDI 2020) and as in its library: how many flows a subnet needs at each TTL.
 *
 * First six flows at each TTL, a window of TTLs at a time (Iris): the next window opens when a router of the last one
 * has replied. Then, for the L(t) links known so far between TTL t and t + 1, t needs as many flows as a single node
 * with L(t) successors would; t + 1 needs as many, so that both ends of a flow's link are seen. Single nodes are not
 * considered, so it misses an uneven balancer below an even one. The failure probability is shared among the links of
 * the widest hop (Iris; the library by itself does not). Subnets that reply twice to a probe are skipped.
 */
import { type FlowPath, FlowPaths } from "./flow-paths.ts";
import { type Failure, failurePerNode, flowsNeeded } from "./stopping-points.ts";
import type { RoundProbe, RoundReply, Strategy, StrategyOptions, Unit } from "./strategy.ts";

export const diamondMinerStrategy: Strategy = {
  name: "diamond-miner",
  sentence: "All paths to each subnet, as many flows at each TTL as its links need; first six at every TTL.",
  usesSeenNodes: false,
  sharesSubnets: false,
  next: diamondMinerProbes,
};

/** The first round: this many flows at each TTL. */
const firstRoundFlows = 6;
/** The authors' limit: what is not settled after ten rounds changes while it is measured. Windows are extra. */
const roundsAfterWindows = 10;

function diamondMinerProbes(
  replies: Iterable<RoundReply>,
  unit: Unit,
  options: StrategyOptions,
): RoundProbe[] {
  const paths = new FlowPaths(replies);
  const windows = options.windowTtls === 0 ? 1 : Math.ceil(options.ttlMax / options.windowTtls);
  if (unit.round >= Math.min(options.roundsMax, windows + roundsAfterWindows)) {
    return [];
  }
  return unit.subnets.flatMap((subnet) => {
    const own = paths.of(subnet);
    const counts = own.some((path) => path.isAmplified)
      ? new Map<number, number>()
      : flowCounts(own, options);
    return [...counts].flatMap(([ttl, count]) =>
      Array.from({ length: Math.min(count, options.flowsMax) }, (_, flow) => ({ subnet, flow, ttl })).filter(
        ({ flow }) => paths.get(subnet, flow)?.isProbed(ttl) !== true,
      ),
    );
  });
}

/** Flows that each TTL needs in total. */
function flowCounts(paths: readonly FlowPath[], options: StrategyOptions): Map<number, number> {
  const counts = new Map<number, number>();
  for (let ttl = options.ttlMin; ttl <= lastTtl(paths, options); ttl++) {
    counts.set(ttl, firstRoundFlows);
  }
  const failure = (100 - options.confidencePercent) / 100;
  for (const [ttl, count] of diamondMinerFlows(paths, failure, true)) {
    if (ttl >= options.ttlMin && ttl <= options.ttlMax) {
      counts.set(ttl, Math.max(count, counts.get(ttl) ?? 0));
    }
  }
  return counts;
}

/** The end of the open windows. */
function lastTtl(paths: readonly FlowPath[], { ttlMin, ttlMax, windowTtls }: StrategyOptions): number {
  const lastNode = paths.reduce((last, path) => Math.max(last, path.lastNode), 0);
  const size = windowTtls === 0 ? ttlMax : windowTtls;
  const full = lastNode < ttlMin ? 0 : Math.floor((lastNode - ttlMin) / size) + 1;
  return Math.min(ttlMax, ttlMin - 1 + (full + 1) * size);
}

/** Flows that the known links require at each TTL; TTLs without a link are left out. */
export function diamondMinerFlows(
  paths: readonly FlowPath[],
  failure: Failure,
  isAdaptive: boolean,
): Map<number, number> {
  const links = linksByTtl(paths);
  const widest = Math.max(0, ...links.values());
  const own = isAdaptive ? failurePerNode(failure, widest) : failure;
  const counts = new Map<number, number>();
  for (const [near, count] of [...links].sort(([x], [y]) => x - y)) {
    const needed = flowsNeeded(count, own);
    counts.set(near, Math.max(needed, counts.get(near) ?? 0));
    counts.set(near + 1, needed);
  }
  return counts;
}

/** Distinct links by the TTL of the near end, from flows with replies at both ends. */
function linksByTtl(paths: readonly FlowPath[]): Map<number, number> {
  const counts = new Map<number, number>();
  const known = new Set<string>();
  for (const path of paths) {
    for (let ttl = 1; ttl < path.lastNode; ttl++) {
      const [near, far] = [path.node(ttl), path.node(ttl + 1)];
      const key = `${ttl}:${near}>${far}`;
      if (near >= 0 && far >= 0 && !known.has(key)) {
        known.add(key);
        counts.set(ttl, (counts.get(ttl) ?? 0) + 1);
      }
    }
  }
  return counts;
}
