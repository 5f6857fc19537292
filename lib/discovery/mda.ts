/**
 * The Multipath Detection Algorithm (Veitch and others, INFOCOM 2009), a round at a time, for each node separately.
 *
 * For a node, only flows that are known to cross it count. It needs as many of them, with a probe one TTL further, as
 * its known successors ask for; where too few cross it, new flows are sent to its TTL until they do. The source is
 * the node at TTL 0, which every flow crosses.
 */
import { type FlowPath, FlowPaths } from "./flow-paths.ts";
import { type Node, pathsOf, type TraceReply } from "./links.ts";
import { type Failure, flowsNeeded } from "./stopping-points.ts";
import type { RoundProbe, RoundReply, Strategy, StrategyOptions, Unit } from "./strategy.ts";

interface FlowProbe {
  readonly flow: number;
  readonly ttl: number;
}

export interface MdaOptions {
  readonly failure: Failure;
  /** No probe goes further: nodes there have no successors. */
  readonly ttlMax: number;
}

/** The probes to send in the next round; empty = done. */
export function mdaProbes(
  replies: Iterable<TraceReply>,
  sent: ReadonlySet<string>,
  { failure, ttlMax }: MdaOptions,
): FlowProbe[] {
  const paths = pathsOf(replies);
  const probes = new Map<string, FlowProbe>();
  const want = (flow: number, ttl: number) => probes.set(probeKey(flow, ttl), { flow, ttl });
  for (let ttl = 0; ttl < ttlMax; ttl++) {
    let fresh = nextFlow(sent, ttl);
    for (const crossing of crossings(paths, sent, ttl)) {
      const asked = crossing.filter((flow) => sent.has(probeKey(flow, ttl + 1)));
      const successors = new Set(asked.flatMap((flow) => paths.get(flow)?.get(ttl + 1) ?? []));
      const lacking = Math.max(1, flowsNeeded(successors.size, failure)) - asked.length;
      const unasked = crossing.filter((flow) => !sent.has(probeKey(flow, ttl + 1)));
      for (let i = 0; i < lacking; i++) {
        want(unasked[i] ?? fresh++, unasked[i] === undefined && ttl > 0 ? ttl : ttl + 1);
      }
    }
  }
  return [...probes.values()];
}

export function probeKey(flow: number, ttl: number): string {
  return `${flow}/${ttl}`;
}

/** For each node at a TTL, the flows that cross it; at TTL 0 all flows cross the source. */
function crossings(
  paths: ReadonlyMap<number, ReadonlyMap<number, Node>>,
  sent: ReadonlySet<string>,
  ttl: number,
): number[][] {
  if (ttl === 0) {
    return [[...Array(nextFlow(sent, 1)).keys()]];
  }
  const nodes = new Map<Node, number[]>();
  for (const [flow, path] of paths) {
    const node = path.get(ttl);
    if (node !== undefined) {
      nodes.set(node, [...(nodes.get(node) ?? []), flow]);
    }
  }
  return [...nodes.values()];
}

/** Flows are used in order at each TTL; the first that was not. */
function nextFlow(sent: ReadonlySet<string>, ttl: number): number {
  let flow = 0;
  while (sent.has(probeKey(flow, Math.max(1, ttl)))) {
    flow++;
  }
  return flow;
}

export const mdaStrategy: Strategy = {
  name: "mda",
  sentence: "All paths to each subnet, node by node: at each as many flows as its next hops ask for.",
  usesSeenNodes: false,
  sharesSubnets: false,
  next: unitProbes,
};

function unitProbes(replies: Iterable<RoundReply>, unit: Unit, options: StrategyOptions): RoundProbe[] {
  const paths = new FlowPaths(replies);
  return unit.round >= options.roundsMax
    ? []
    : unit.subnets.flatMap((subnet) =>
        subnetProbes(paths.of(subnet), options).map(({ flow, ttl }) => ({ subnet, flow, ttl })),
      );
}

/** Hops that nobody answers at have no successors: a path goes on behind a gap only where a flow shows it. */
function subnetProbes(paths: readonly FlowPath[], options: StrategyOptions): FlowProbe[] {
  const sent = new Set<string>();
  const answers: TraceReply[] = [];
  for (const path of paths) {
    for (let ttl = 1; ttl <= options.ttlMax; ttl++) {
      const node = path.node(ttl);
      if (path.isAsked(ttl)) {
        sent.add(probeKey(path.flow, ttl));
      }
      if (node >= 0) {
        answers.push({ flow: path.flow, ttl, node });
      }
    }
  }
  const failure = (100 - options.confidencePercent) / 100;
  return mdaProbes(answers, sent, { failure, ttlMax: options.ttlMax }).filter(
    ({ flow }) => flow < options.flowsMax,
  );
}
