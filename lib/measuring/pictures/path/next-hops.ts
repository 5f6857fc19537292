/**
 * Whether the flows sent show all of a router's next hops: by its stopping point, at 95 %
 * (lib/measuring/discovery/stopping-points.ts). Pure.
 *
 * Only flows with a reply from behind the router show where it sends them. A router may send flows to two destinations
 * over two paths without being a load balancer, so a graph with several destinations has no such statement.
 */
import { flowsNeeded } from "../../discovery/stopping-points.ts";
import type { PathGraph } from "./path-graph.ts";

/** Probability of having missed a next hop of one router. */
const failure = 0.05;

export interface NextHops {
  readonly known: number;
  /** Flows with a reply from behind the router. */
  readonly flows: number;
  /** Flows after which a further next hop would have shown. */
  readonly flowsNeeded: number;
}

/** By node id, for routers with replies from behind them. */
export function nextHopsOf({ nodes, links, destinations }: PathGraph): ReadonlyMap<string, NextHops> {
  const found = new Map<string, { known: number; flows: Set<number> }>();
  for (const { from, to, flows } of destinations.size === 1 ? links : []) {
    if (nodes.get(from)?.kind === "router" && nodes.get(to)?.kind === "router") {
      const next = found.get(from) ?? { known: 0, flows: new Set() };
      found.set(from, next);
      next.known++;
      for (const flow of flows) {
        next.flows.add(flow);
      }
    }
  }
  return new Map(
    [...found].map(([id, { known, flows }]) => [
      id,
      { known, flows: flows.size, flowsNeeded: flowsNeeded(known, failure) },
    ]),
  );
}

export function isEnough({ flows, flowsNeeded: needed }: NextHops): boolean {
  return flows >= needed;
}

/** `2 next hops seen in 8 flows; 11 flows would rule out another (95 %)`. */
export function nextHopsText(next: NextHops): string {
  const { known, flows, flowsNeeded: needed } = next;
  const found = `${known} next ${known === 1 ? "hop" : "hops"} seen in ${flows} ${flows === 1 ? "flow" : "flows"}`;
  return isEnough(next)
    ? `${found}; another is ruled out (95 %)`
    : `${found}; ${needed} flows would rule out another (95 %)`;
}
