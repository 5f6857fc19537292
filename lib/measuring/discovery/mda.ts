/**
 * The Multipath Detection Algorithm (Veitch and others, INFOCOM 2009), a round at a time, for each node separately.
 *
 * For a node, only flows that are known to cross it count. It needs as many of them, probed one TTL further, as its
 * number of known successors requires; where too few cross it, new flows are sent to its TTL until they do. The source
 * is the node before the first TTL, which every flow crosses.
 *
 * Flows without a reply at a hop continue together, as if they crossed one node, but no new ones are sent to find it;
 * beyond the last router that any flow has shown, they continue for `gapLimit` hops. Probes whose replies may be lost
 * are repeated meanwhile (retry-policy.ts).
 */
import { type FlowPath, FlowPaths } from "./flow-paths.ts";
import { RetryPolicy } from "./retry-policy.ts";
import { type Failure, flowsNeeded } from "./stopping-points.ts";
import type { RoundProbe, RoundReply, Strategy, StrategyOptions, Unit } from "./strategy.ts";

export const mdaStrategy: Strategy = {
  name: "mda",
  sentence: "All paths to each subnet, node by node: at each as many flows as its next hops need.",
  usesSeenNodes: false,
  sharesSubnets: false,
  next: mdaProbes,
};

/** The node of flows that were probed at a TTL without a reply. */
const silentNode = -1;

function mdaProbes(replies: Iterable<RoundReply>, unit: Unit, options: StrategyOptions): RoundProbe[] {
  const paths = new FlowPaths(replies);
  return unit.round >= options.roundsMax
    ? []
    : unit.subnets.flatMap((subnet) =>
        subnetProbes(subnet, paths.of(subnet), new RetryPolicy(paths, [subnet]), options),
      );
}

function subnetProbes(
  subnet: number,
  paths: readonly FlowPath[],
  retries: RetryPolicy,
  options: StrategyOptions,
): RoundProbe[] {
  const { ttlMin, ttlMax, gapLimit, confidencePercent, flowsMax } = options;
  const failure = (100 - confidencePercent) / 100;
  const probes = new Map<number, RoundProbe>();
  const probe = (flow: number, ttl: number) => {
    if (flow < flowsMax) {
      probes.set(flow * 128 + ttl, { subnet, flow, ttl });
    }
  };
  const lastNode = paths.reduce((last, path) => Math.max(last, path.lastNode), ttlMin - 1);
  for (let ttl = ttlMin - 1; ttl < Math.min(ttlMax, lastNode + gapLimit); ttl++) {
    const isSource = ttl < ttlMin;
    const fresh = freshFlows(paths, Math.max(ttl, ttlMin));
    for (const [node, crossing] of isSource ? new Map([[0, paths]]) : crossings(paths, ttl)) {
      const unprobed = crossing.filter((path) => !path.isProbed(ttl + 1));
      const lacking = flowsLacking(crossing, unprobed.length, ttl, failure);
      for (const { flow } of unprobed.slice(0, Math.max(0, lacking))) {
        probe(flow, ttl + 1);
      }
      for (let left = node === silentNode ? 0 : lacking - unprobed.length; left > 0; left--) {
        probe(fresh.next().value, isSource ? ttlMin : ttl);
      }
    }
  }
  for (const path of paths) {
    for (let ttl = ttlMin; ttl <= Math.min(ttlMax, path.lastNode + 1); ttl++) {
      if (retries.needsRetry(path, ttl) && retries.isInTurn(path, ttl)) {
        probe(path.flow, ttl);
      }
    }
  }
  return [...probes.values()];
}

/** Flows across a node still to be probed one TTL further; at least one shows whether it has successors. */
function flowsLacking(
  crossing: readonly FlowPath[],
  unprobed: number,
  ttl: number,
  failure: Failure,
): number {
  const successors = new Set(crossing.map((path) => path.node(ttl + 1)).filter((node) => node >= 0));
  return Math.max(1, flowsNeeded(successors.size, failure)) - (crossing.length - unprobed);
}

/** For each node at a TTL, the flows that cross it and do not end there. */
function crossings(paths: readonly FlowPath[], ttl: number): Map<number, FlowPath[]> {
  const nodes = new Map<number, FlowPath[]>();
  for (const path of paths) {
    if (path.isProbed(ttl) && ttl < path.endTtl) {
      const node = Math.max(silentNode, path.node(ttl));
      const known = nodes.get(node) ?? [];
      nodes.set(node, known);
      known.push(path);
    }
  }
  return nodes;
}

/** Flows that were not probed at a TTL, in order, without end. */
function* freshFlows(paths: readonly FlowPath[], ttl: number): Generator<number, never> {
  let place = 0;
  for (let flow = 0; ; flow++) {
    const path = paths[place];
    if (path?.flow === flow) {
      place++;
      if (path.isProbed(ttl)) {
        continue;
      }
    }
    yield flow;
  }
}
