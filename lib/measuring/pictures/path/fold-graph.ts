/** Folds ranks with many nodes: those with most flows stay, the rest is one node until it is opened. Pure. */
import type { GraphLink, GraphNode, PathGraph } from "./path-graph.ts";

/** Nodes of one TTL that a reader can still distinguish, and that fit on a screen. */
export const rankNodesMax = 12;

/** `open` = TTLs that are shown in full. */
export function foldedGraph(graph: PathGraph, open: ReadonlySet<number>): PathGraph {
  const ranks = Map.groupBy(graph.nodes.values(), ({ ttl }) => ttl);
  const standsFor = new Map<string, string>();
  const nodes = new Map<string, GraphNode>();
  for (const [ttl, rank] of ranks) {
    const shown = rank.length <= rankNodesMax || open.has(ttl) ? rank : mostUsed(rank);
    for (const node of shown) {
      nodes.set(node.id, node);
    }
    const kept = new Set(shown);
    const folded = rank.filter((node) => !kept.has(node));
    if (folded.length > 0) {
      const node = foldedNode(ttl, folded);
      nodes.set(node.id, node);
      for (const { id } of folded) {
        standsFor.set(id, node.id);
      }
    }
  }
  return { ...graph, nodes, links: standsFor.size === 0 ? graph.links : mergedLinks(graph.links, standsFor) };
}

/** The nodes to keep: targets first, then those with most flows. */
function mostUsed(rank: readonly GraphNode[]): readonly GraphNode[] {
  const weight = ({ isTarget, kind, flows }: GraphNode) =>
    isTarget ? Number.MAX_SAFE_INTEGER : kind === "folded" ? -1 : flows.size;
  return rank.toSorted((a, b) => weight(b) - weight(a)).slice(0, rankNodesMax - 1);
}

function foldedNode(ttl: number, folded: readonly GraphNode[]): GraphNode {
  const sum = (value: (node: GraphNode) => number) => folded.reduce((all, node) => all + value(node), 0);
  const members = sum((node) => node.members);
  const isRouters = folded.every(({ kind }) => kind === "router" || kind === "folded");
  return {
    ...{ id: `${ttl}/folded`, ttl, kind: "folded", name: null, asn: null, asName: null, isTarget: false },
    label: `${members} more${isRouters ? " routers" : ""}`,
    loopTtls: new Set(),
    flows: new Set(folded.flatMap(({ flows }) => [...flows])),
    probes: sum(({ probes }) => probes),
    answered: sum(({ answered }) => answered),
    mediansMs: [],
    hasLabels: folded.some(({ hasLabels }) => hasLabels),
    says: new Set(),
    members,
  };
}

function mergedLinks(links: readonly GraphLink[], standsFor: ReadonlyMap<string, string>): GraphLink[] {
  const merged = new Map<string, GraphLink & { readonly flows: Set<number> }>();
  for (const link of links) {
    const [from, to] = [standsFor.get(link.from) ?? link.from, standsFor.get(link.to) ?? link.to];
    const key = `${from}\n${to}`;
    const one = merged.get(key) ?? { from, to, flows: new Set() };
    for (const flow of link.flows) {
      one.flows.add(flow);
    }
    merged.set(key, one);
  }
  return [...merged.values()];
}
