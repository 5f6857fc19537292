/** Texts of nodes, links and a whole graph, for boxes and sentences. Pure. */
import { counted } from "../counts.ts";
import { labelOf, type PicturedGraph, type PicturedLink, type PicturedNode } from "./pictured-graph.ts";

/** Next hops that a sentence names: screen readers read it aloud. */
const namedMax = 10;

/** The lines of a box. */
export function boxLines(node: PicturedNode): string[] {
  const { name, rtt_median_ms: ms, flows, mpls_labels: labels = [] } = node;
  const figures = [
    ...(ms == null ? [] : [`${ms} ms`]),
    counted(flows, "flow"),
    ...(labels.length > 0 ? ["MPLS"] : []),
  ];
  const first = name ?? labelOf(node);
  const lines =
    node.kind === "as"
      ? [first, asLine(node), figures.join(" · ")]
      : [first, figures.join(" · "), asLine(node)];
  return lines.filter((line) => line !== "");
}

/** `AS64500 EXAMPLE`; empty if unknown. */
function asLine({ asn, as_name: name, kind }: PicturedNode): string {
  return asn == null ? "" : kind === "as" ? (name ?? "") : `AS${asn} ${name ?? ""}`.trim();
}

export function nodeSentence(
  node: PicturedNode,
  onwards: readonly PicturedLink[],
  nodes: ReadonlyMap<string, PicturedNode>,
): string {
  const next = onwards.slice(0, namedMax).map((link) => {
    const to = nodes.get(link.to);
    return `${counted(link.flows, "flow")} on to ${to === undefined ? link.to : labelOf(to)}${stateWords(link)}`;
  });
  const more = onwards.length > namedMax ? [`${onwards.length - namedMax} further links`] : [];
  const facts = [
    `TTL ${node.ttl}: ${labelOf(node)}`,
    ...(node.name == null ? [] : [node.name]),
    ...(asLine(node) === "" ? [] : [asLine(node)]),
    counted(node.flows, "flow"),
    ...(node.rtt_median_ms == null ? [] : [`median ${node.rtt_median_ms} ms`]),
    ...((node.mpls_labels ?? []).length > 0 ? ["MPLS labels"] : []),
    ...(node.is_destination === true ? ["a destination"] : []),
  ];
  return `${facts.join(", ")}. ${next.length === 0 ? "" : `${[...next, ...more].join("; ")}.`}`.trimEnd();
}

export function stateWords({ state }: PicturedLink): string {
  return state === undefined || state === "both" ? "" : `, ${state}`;
}

/** `12 routers, 2 silent hops and 20 links; the widest is TTL 3 with 4.` */
export function graphSentence({ nodes, links, is_cut: isCut }: PicturedGraph): string {
  if (nodes.length === 0) {
    return "No link yet.";
  }
  const silent = nodes.filter(({ address, kind }) => address === null && kind === undefined).length;
  const columns = [...Map.groupBy(nodes, ({ ttl }) => ttl)].map(([ttl, own]) => [own.length, ttl] as const);
  const [most, ttl] = columns.reduce((a, b) => (b[0] > a[0] ? b : a), [0, 0]);
  const states = (["appeared", "gone", "both"] as const).map(
    (state) => [state, links.filter((link) => link.state === state).length] as const,
  );
  const compared = links.some(({ state }) => state !== undefined)
    ? [states.map(([state, count]) => `${count} ${state === "both" ? "in both" : state}`).join(", ")]
    : [];
  const ases = nodes.filter(({ kind }) => kind === "as").length;
  const routers = nodes.length - silent - ases;
  const parts = [
    ...(ases === 0 ? [] : [counted(ases, "AS", "es")]),
    ...(ases > 0 && routers === 0 ? [] : [counted(routers, "router")]),
    ...(ases > 0 && silent === 0 ? [] : [counted(silent, "silent hop")]),
  ];
  const whole = `${parts.join(", ")} and ${counted(links.length, "link")}`;
  // If no column has two, the graph is a chain.
  const widest = most < 2 ? [] : [`the widest is TTL ${ttl} with ${most}`];
  const cut = isCut ? ["only those with most flows are shown"] : [];
  return `${[whole, ...compared, ...widest, ...cut].join("; ")}.`;
}
