/**
 * Folds ranks with many nodes until they are opened. With few destinations those with most flows stay, and the rest is
 * one node; with many, nodes are grouped by AS or, where it is unknown, by prefix first. Pure.
 */
import { type Address, isIpv4, parseAddress } from "../../../net/ip/address.ts";
import { formatPrefix, prefixOf } from "../../../net/ip/prefix.ts";
import type { GraphLink, GraphNode, PathGraph } from "./path-graph.ts";

/** Nodes of one TTL that a reader can still distinguish, and that fit on a screen. */
export const rankNodesMax = 12;

/** `open` = TTLs that are shown in full. */
export function foldedGraph(graph: PathGraph, open: ReadonlySet<number>): PathGraph {
  const ranks = Map.groupBy(graph.nodes.values(), ({ ttl }) => ttl);
  const isGrouped = graph.destinations.size > rankNodesMax;
  const standsFor = new Map<string, string>();
  const nodes = new Map<string, GraphNode>();
  for (const [ttl, rank] of ranks) {
    const groups = open.has(ttl) || !isGrouped ? rank.map(alone) : groupsOf(rank);
    const shown = groups.length <= rankNodesMax || open.has(ttl) ? groups : mostUsed(groups);
    const kept = new Set(shown);
    const rest = groups.filter((group) => !kept.has(group)).flatMap(({ members }) => members);
    for (const { name, members } of [
      ...shown,
      ...(rest.length === 0 ? [] : [{ name: null, members: rest }]),
    ]) {
      const [only, ...others] = members;
      const node = only !== undefined && others.length === 0 ? only : foldedNode(ttl, name, members);
      nodes.set(node.id, node);
      for (const { id } of others.length === 0 ? [] : members) {
        standsFor.set(id, node.id);
      }
    }
  }
  return { ...graph, nodes, links: standsFor.size === 0 ? graph.links : mergedLinks(graph.links, standsFor) };
}

interface Group {
  /** The AS or prefix; null = a node by itself, or the rest. */
  readonly name: string | null;
  readonly members: readonly GraphNode[];
}

function alone(node: GraphNode): Group {
  return { name: null, members: [node] };
}

/** Silence and agents have neither an AS nor a prefix: they stay by themselves, or are among the rest. */
function groupsOf(rank: readonly GraphNode[]): Group[] {
  return [...Map.groupBy(rank, (node) => groupName(node) ?? node.id)].map(([name, members]) => ({
    name: members.length === 1 ? null : name,
    members,
  }));
}

function groupName({ kind, label, asn, asName }: GraphNode): string | null {
  if (asn !== null) {
    return `AS${asn}${asName === null ? "" : ` ${asName}`}`;
  }
  const address = kind === "router" ? parseAddress(label) : null;
  return address === null ? null : formatPrefix(prefixOf(address, sitePrefixLength(address)));
}

/** As networks are announced: a /24, or a /48. */
function sitePrefixLength(address: Address): number {
  return isIpv4(address) ? 24 : 48;
}

/** The groups to keep: targets first, then those with most flows. */
function mostUsed(groups: readonly Group[]): readonly Group[] {
  const weight = ({ members }: Group) =>
    members.reduce(
      (sum, { isTarget, kind, flows }) => sum + (kind === "folded" ? -1 : flows.size) + (isTarget ? 1e9 : 0),
      0,
    );
  return groups.toSorted((a, b) => weight(b) - weight(a)).slice(0, rankNodesMax - 1);
}

function foldedNode(ttl: number, name: string | null, folded: readonly GraphNode[]): GraphNode {
  const sum = (value: (node: GraphNode) => number) => folded.reduce((all, node) => all + value(node), 0);
  const members = sum((node) => node.members);
  const isRouters = folded.every(({ kind }) => kind === "router" || kind === "folded");
  const targets = folded.filter(({ isTarget }) => isTarget).length;
  const kind = targets === members ? "destinations" : isRouters ? "routers" : "hops";
  return {
    ...{ id: `${ttl}/folded${name === null ? "" : `/${name}`}`, ttl, kind: "folded", name: null },
    ...{ asn: name === null ? null : (folded[0]?.asn ?? null), asName: null, isTarget: targets === members },
    label: name === null ? `${members} more${isRouters ? " routers" : ""}` : `${name}: ${members} ${kind}`,
    loopTtls: new Set(),
    flows: new Set(folded.flatMap(({ flows }) => [...flows])),
    probes: sum(({ probes }) => probes),
    answered: sum(({ answered }) => answered),
    mediansMs: [],
    hasLabels: folded.some(({ hasLabels }) => hasLabels),
    says: new Set(),
    rewritten: new Set(folded.flatMap(({ rewritten }) => [...rewritten])),
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
