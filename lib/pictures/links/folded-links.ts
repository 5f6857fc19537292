/** Parts of a graph as one node each: what is too much of one TTL, and the routers of an AS. Pure. */
import type { PicturedGraph, PicturedLink, PicturedNode } from "./pictured-graph.ts";

/** Nodes of one TTL that a reader can still tell apart, and that fit on a screen. */
const columnNodesMax = 12;

/** Of a TTL with more nodes those with most flows stay, and the others are one. `open`: TTLs that are shown whole. */
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
  return merged(graph, standsFor);
}

/** A node for each AS that is not in `open`; routers whose AS is not known stay. */
export function asGraph(graph: PicturedGraph, open: ReadonlySet<number>): PicturedGraph {
  const standsFor = new Map<string, PicturedNode>();
  for (const [asn, own] of Map.groupBy(graph.nodes, (node) => node.asn ?? null)) {
    if (asn !== null && !open.has(asn)) {
      const one = {
        ...{ id: `AS${asn}`, kind: "as" as const, address: null, asn, as_name: own[0]?.as_name ?? null },
        ttl: own.reduce((low, { ttl }) => Math.min(low, ttl), 255),
        flows: own.reduce((most, { flows }) => Math.max(most, flows), 0),
      };
      for (const { id } of own) {
        standsFor.set(id, one);
      }
    }
  }
  return merged(graph, standsFor);
}

/** What an AS is connected to: its own routers, and those that a link joins to them. */
export function aroundAs(graph: PicturedGraph, asn: number): PicturedGraph {
  const own = new Set(graph.nodes.flatMap((node) => (node.asn === asn ? [node.id] : [])));
  const links = graph.links.filter(({ from, to }) => own.has(from) || own.has(to));
  const kept = new Set([...own, ...links.flatMap(({ from, to }) => [from, to])]);
  return { ...graph, links, nodes: graph.nodes.filter(({ id }) => kept.has(id)) };
}

function merged(graph: PicturedGraph, standsFor: ReadonlyMap<string, PicturedNode>): PicturedGraph {
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

/** Of links in other states what is joined is in both. */
function joined(one: PicturedLink, other: PicturedLink): PicturedLink {
  const state = one.state === other.state ? one.state : "both";
  return { ...one, flows: one.flows + other.flows, ...(state === undefined ? {} : { state }) };
}
