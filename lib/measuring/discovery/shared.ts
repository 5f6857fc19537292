/**
 * Stopping points shared by (node, routed prefix): our own strategy.
 *
 * One forwarding entry serves a routed prefix, so a balancer on the way to it treats the flows to all of its subnets
 * (/24s, /64s) alike, and each of them is evidence about the same node. So a node is probed once for the routed prefix,
 * not once for each subnet.
 *
 * First one flow goes to each subnet. Then each node needs as many flows as its number of successors requires, over all
 * subnets. When it has them, subnets that share no successor are separated, as routing may differ within the prefix,
 * and each part needs its own flows, until one shows that two parts are the same.
 *
 * Flows that are known to cross a node are used first, then those of the node before it, then new ones, the subnet with
 * the fewest flows first; so many that, by the shares seen so far, enough of them cross the node. The failure
 * probability is shared among all nodes, so `confidencePercent` applies to the routed prefix as a whole.
 */
import { type FlowPath, FlowPaths } from "./flow-paths.ts";
import { RetryPolicy } from "./retry-policy.ts";
import { type Crossing, groupsOf, nodeKey, nodesOf } from "./shared-nodes.ts";
import { SharedRound } from "./shared-round.ts";
import { type Failure, failurePerNode, flowsNeededAt } from "./stopping-points.ts";
import type { RoundProbe, RoundReply, Strategy, StrategyOptions, Unit } from "./strategy.ts";

export const sharedStrategy: Strategy = {
  name: "shared",
  sentence:
    "All paths to a routed prefix, node by node, where each of its subnets is evidence about the nodes that it shares.",
  usesSeenNodes: false,
  sharesSubnets: true,
  next: sharedProbes,
};

function sharedProbes(replies: Iterable<RoundReply>, unit: Unit, options: StrategyOptions): RoundProbe[] {
  if (unit.round >= options.roundsMax) {
    return [];
  }
  const paths = new FlowPaths(replies);
  const subnets = unit.subnets.toSorted((x, y) => x - y);
  const retries = new RetryPolicy(paths, subnets);
  const round = new SharedRound(paths, subnets, options);
  const isGoingOn = goOnFirstPaths(paths, subnets, options, round);
  retryUnanswered(paths, subnets, retries, round);
  if (!isGoingOn) {
    probeBehindNodes(nodesOf(paths, subnets, options.ttlMin, retries), retries, options, round);
  }
  return round.probes;
}

/** Extends flow 0 of each subnet to a gap or its end; returns whether any continues. */
function goOnFirstPaths(
  paths: FlowPaths,
  subnets: readonly number[],
  { ttlMin, ttlMax, gapLimit }: StrategyOptions,
  round: SharedRound,
): boolean {
  for (const subnet of subnets) {
    const path = paths.get(subnet, 0);
    const [lastNode, endTtl] = [path?.lastNode ?? 0, path?.endTtl ?? Number.POSITIVE_INFINITY];
    const last = Math.min(ttlMax, Math.max(lastNode, ttlMin - 1) + gapLimit, endTtl - 1);
    for (let ttl = ttlMin; ttl <= last; ttl++) {
      round.probe(subnet, 0, ttl, path);
    }
  }
  return round.probes.length > 0;
}

/** Hops whose replies may be lost, before a router of the path or right after the last one. */
function retryUnanswered(
  paths: FlowPaths,
  subnets: readonly number[],
  retries: RetryPolicy,
  round: SharedRound,
): void {
  for (const subnet of subnets) {
    for (const path of paths.of(subnet)) {
      for (let ttl = 1; ttl <= path.lastNode + 1; ttl++) {
        if (retries.needsRetry(path, ttl)) {
          round.retry(path, ttl, retries.isInTurn(path, ttl));
        }
      }
    }
  }
}

function probeBehindNodes(
  nodes: ReadonlyMap<number, Crossing & { readonly isLast: boolean }>,
  retries: RetryPolicy,
  { confidencePercent }: StrategyOptions,
  round: SharedRound,
): void {
  const inner = [...nodes].filter(([, { isLast }]) => !isLast);
  const flows = flowsByTtl(nodes.values());
  const shareOf = ({ ttl, paths }: Crossing) => paths.length / (flows.get(ttl) ?? 1);
  const sum = inner.reduce((all, [, node]) => all + 1 / weightOf(node.paths, shareOf(node)), 0);
  const failure = (100 - confidencePercent) / 100;
  for (const [key, node] of inner) {
    const successorOf = (path: FlowPath) => {
      const next = nodeKey(path, node.ttl + 1, key, retries);
      return next !== null &&
        nodes.get(next) !== undefined &&
        (next >= 0 || nodes.get(next)?.isLast === false)
        ? next
        : null;
    };
    const lack = (of: Flows) => lacking(of, node.ttl, shareOf(node), failure, sum);
    const groups = groupsOf(node.paths, successorOf);
    const all = { paths: node.paths, counts: groups.flatMap(({ counts }) => counts) };
    if (lack(all) > 0) {
      round.addDemand(node, all.paths, lack(all));
    } else {
      for (const group of groups.length > 1 ? groups : []) {
        round.addDemand(node, group.paths, lack(group));
      }
    }
  }
  for (const node of nodes.values()) {
    if (node.isLast && !node.isSilent && !node.paths.some((path) => isEndKnown(path, node.ttl))) {
      round.addDemand(node, node.paths, 1);
    }
  }
  round.spend(nodes);
}

/** Whether a flow has shown what is beyond a TTL: else a branch that others' flows have found would end there. */
function isEndKnown(path: FlowPath, ttl: number): boolean {
  return path.isProbed(ttl + 1) || path.endTtl <= ttl + 1;
}

/** Flows that cross the nodes of each TTL. */
function flowsByTtl(nodes: Iterable<Crossing>): ReadonlyMap<number, number> {
  const flows = new Map<number, number>();
  for (const { ttl, paths } of nodes) {
    flows.set(ttl, (flows.get(ttl) ?? 0) + paths.length);
  }
  return flows;
}

interface Flows {
  readonly paths: readonly FlowPath[];
  /** To each successor. */
  readonly counts: readonly number[];
}

/** Flows still to be probed behind a node that a share of its hop's flows crosses. */
function lacking(
  { paths, counts }: Flows,
  ttl: number,
  share: number,
  failure: Failure,
  sum: number,
): number {
  const probed = paths.reduce((all, path) => all + (path.isProbed(ttl + 1) ? 1 : 0), 0);
  const weight = weightOf(paths, share);
  const least = share > wholeShare && weight > 1 ? leastShare : 1;
  return Math.max(0, flowsNeededAt(counts, failurePerNode(failure, weight * sum), least) - probed);
}

/**
 * A node that n subnets cross gets a failure probability n times smaller: flows across it cost no more than across one
 * that a single subnet crosses, and find links for all of them; but they cost more if few of its hop's flows cross it.
 */
function weightOf(paths: readonly FlowPath[], share: number): number {
  let [subnets, last] = [0, -1];
  for (const { subnet } of paths) {
    subnets += subnet === last ? 0 : 1;
    last = subnet;
  }
  return (1 + (subnets - 1) * share) ** weightPower;
}

const weightPower = 1.5;
/**
 * Flows are cheap for a node that nearly all of its hop's flows cross: a second branch with a quarter is sought, too.
 */
const wholeShare = 0.9;
const leastShare = 0.5;
