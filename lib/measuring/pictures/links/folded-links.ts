/** Folds the surplus nodes of one TTL into one. Pure. */
import type { PicturedGraph, PicturedLink, PicturedNode } from "./pictured-graph.ts";

/** Nodes of one TTL that a reader can still distinguish, and that fit on a screen. */
const columnNodesMax = 12;

/**
 * Keeps a TTL's nodes with most flows, and folds the others into one. `open`: TTLs that are shown in full.
 */
export function foldedColumns(graph: PicturedGraph, open: ReadonlySet<number>): PicturedGraph {
  const standsFor = new Map<string, PicturedNode>();
  for (const [ttl, column] of Map.groupBy(graph.nodes, (node) => node.ttl)) {
    if (column.length > columnNodesMax && !open.has(ttl)) {
      const folded = column.toSorted((a, b) => b.flows - a.flows).slice(columnNodesMax - 1);
      const flows = folded.reduce((sum, node) => sum + node.flows, 0);
      const kind = "folded" as const;
      const one = { id: `${folded.length} more of TTL ${ttl}`, ttl, address: null, flows, kind };
      for (const { id } of folded) {
        standsFor.set(id, one);
      }
    }
  }
  return joinedNodes(graph, standsFor);
}

/** `standsFor`: by node id, the node that replaces it; links with the same ends become one. */
export function joinedNodes(
  graph: PicturedGraph,
  standsFor: ReadonlyMap<string, PicturedNode>,
): PicturedGraph {
  if (standsFor.size === 0) {
    return graph;
  }
  const links = new Map<string, PicturedLink>();
  for (const link of graph.links) {
    const [from, to] = [link.from, link.to].map((id) => standsFor.get(id)?.id ?? id);
    if (from !== undefined && to !== undefined && from !== to) {
      const key = `${from}\n${to}`;
      const before = links.get(key);
      links.set(key, before === undefined ? { ...link, from, to } : joined(before, link));
    }
  }
  const kept = graph.nodes.filter(({ id }) => !standsFor.has(id));
  return { ...graph, nodes: [...kept, ...new Set(standsFor.values())], links: [...links.values()] };
}

/** A link joined from links in different states is in both. */
function joined(one: PicturedLink, other: PicturedLink): PicturedLink {
  const state = one.state === other.state ? one.state : "both";
  return { ...one, flows: one.flows + other.flows, ...(state === undefined ? {} : { state }) };
}
