/** Texts of a node of the path graph: short in its box, in full for tooltips and screen readers. Pure. */
import { isEnough, type NextHops, nextHopsText } from "./next-hops.ts";
import type { GraphLink, GraphNode, PathGraph } from "./path-graph.ts";

/** The second line of a box: `12.3 ms · 3/8 flows`; `+?` where a next hop may be missing. */
export function figureLine(node: GraphNode, { flows }: PathGraph, next: NextHops | undefined): string {
  const part = node.flows.size === flows ? [] : [`${node.flows.size}/${flows} flows`];
  if (node.kind !== "router") {
    return [...part].join("");
  }
  const loss = node.probes > node.answered ? [`${lossText(node)} % lost`] : [];
  const doubt = next === undefined || isEnough(next) ? [] : ["+?"];
  return [...rttText(node), ...part, ...loss, ...markText(node), ...doubt].join(" · ");
}

/** `AS64500 EXAMPLE`; empty if unknown, and for a group, whose label has it. */
export function asLine({ kind, asn, asName }: GraphNode): string {
  return asn === null || kind === "folded" ? "" : `AS${asn}${asName === null ? "" : ` ${asName}`}`;
}

interface Onwards {
  readonly links: readonly GraphLink[];
  /** Undefined = unknown. */
  readonly nextHops: NextHops | undefined;
}

/** The full text, with the node's next hops. */
export function nodeSentence(node: GraphNode, graph: PathGraph, { links, nextHops }: Onwards): string {
  const next = links.map((link) => `${linkText(link, node)} on to ${nameOf(link.to, graph)}`);
  const first = node.kind === "agent" ? `Agent ${node.label}` : `TTL ${node.ttl}: ${node.label}`;
  const facts = [
    first,
    ...(node.name === null ? [] : [node.name]),
    ...(asLine(node) === "" ? [] : [asLine(node)]),
    `${node.flows.size} of ${graph.flows} flows`,
    ...(node.probes === 0 ? [] : [`${node.answered} of ${node.probes} probes answered`]),
    ...rttText(node).map((text) => `median ${text}`),
    ...(node.hasLabels ? ["MPLS labels"] : []),
    ...[...node.loopTtls].map((ttl) => `the same address replied at TTL ${ttl}: a loop`),
    ...node.says,
    ...(node.rewritten.size === 0
      ? []
      : [
          `${isBehindNat(node) ? "behind a NAT that changes" : "rewritten:"} ${[...node.rewritten].join(", ")}`,
        ]),
    ...(node.isTarget ? ["the destination"] : []),
    ...(nextHops === undefined ? [] : [nextHopsText(nextHops)]),
  ];
  return `${facts.join(", ")}. ${next.length === 0 ? "" : `${next.join("; ")}.`}`.trimEnd();
}

/** `6 of 8 flows (75 %)`: relative to the node that it leaves. */
export function linkText({ flows }: GraphLink, from: GraphNode): string {
  return `${flows.size} of ${from.flows.size} flows (${percent(flows.size, from.flows.size)} %)`;
}

export function nameOf(id: string, { nodes }: PathGraph): string {
  return nodes.get(id)?.label ?? id;
}

/** `12.3 ms`; for several paths, from the lowest median to the highest. */
function rttText({ mediansMs }: GraphNode): string[] {
  if (mediansMs.length === 0) {
    return [];
  }
  const low = mediansMs.reduce((a, b) => Math.min(a, b));
  const high = mediansMs.reduce((a, b) => Math.max(a, b));
  return [low === high ? `${low} ms` : `${low}–${high} ms`];
}

function markText({ hasLabels, loopTtls, says, rewritten, isTarget }: GraphNode): string[] {
  return [
    ...(isBehindNat({ rewritten }) ? ["NAT"] : []),
    ...(hasLabels ? ["MPLS"] : []),
    ...(loopTtls.size > 0 ? [`↻ ${[...loopTtls].join(", ")}`] : []),
    ...(says.size > 0 && !isTarget ? ["✕"] : []),
  ];
}

/** An identification alone is changed by other boxes too. */
function isBehindNat({ rewritten }: Pick<GraphNode, "rewritten">): boolean {
  return [...rewritten].some((name) => name !== "identification");
}

function lossText({ probes, answered }: GraphNode): string {
  return percent(probes - answered, probes);
}

function percent(part: number, whole: number): string {
  const exact = (100 * part) / whole;
  return Number.isInteger(exact) ? String(exact) : exact.toFixed(1);
}
