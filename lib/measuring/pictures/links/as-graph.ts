/**
 * Joins each AS's routers into one node that can be opened; extracts the surroundings of one AS. Pure.
 */
import { joinedNodes } from "./folded-links.ts";
import type { PicturedGraph, PicturedNode } from "./pictured-graph.ts";

/** A node for each AS that is not in `open`; routers with an unknown AS stay. */
export function asGraph(graph: PicturedGraph, open: ReadonlySet<number>): PicturedGraph {
  const standsFor = new Map<string, PicturedNode>();
  for (const [asn, own] of Map.groupBy(graph.nodes, (node) => node.asn ?? null)) {
    if (asn !== null && !open.has(asn)) {
      const one = {
        ...{ id: `AS${asn}`, kind: "as" as const, address: null, asn, as_name: own[0]?.as_name ?? null },
        ttl: own.reduce((low, { ttl }) => Math.min(low, ttl), 255),
        flows: flowsOf(own),
      };
      for (const { id } of own) {
        standsFor.set(id, one);
      }
    }
  }
  return joinedNodes(graph, standsFor);
}

/** Flows of the busiest TTL: a flow passes one router of a TTL, but several TTLs of an AS. */
function flowsOf(routers: readonly PicturedNode[]): number {
  const sums = new Map<number, number>();
  for (const { ttl, flows } of routers) {
    sums.set(ttl, (sums.get(ttl) ?? 0) + flows);
  }
  return Math.max(0, ...sums.values());
}

/** The routers of an AS, and those with a link to them. */
export function aroundAs(graph: PicturedGraph, asn: number): PicturedGraph {
  const own = new Set(graph.nodes.flatMap((node) => (node.asn === asn ? [node.id] : [])));
  const links = graph.links.filter(({ from, to }) => own.has(from) || own.has(to));
  const kept = new Set([...own, ...links.flatMap(({ from, to }) => [from, to])]);
  return { ...graph, links, nodes: graph.nodes.filter(({ id }) => kept.has(id)) };
}
