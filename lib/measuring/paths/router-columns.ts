/** A hop's router as a row of CSV: its place and figures. Pure. */
import type { Column } from "../../base/terminal/rows-output.ts";
import { formatAddress } from "../../net/ip/address.ts";
import { type Hop, type HopNode, lossPercent } from "./hops.ts";
import { rttColumns } from "./rtt-columns.ts";
import { kindInWords, labelsInWords } from "./words.ts";

export interface Router {
  readonly ttl: number;
  readonly node: HopNode;
  /** Routers of the hop that are not listed. */
  readonly moreRouters: number;
}

export function routersOf(hops: readonly Hop[]): Router[] {
  return hops.flatMap(({ ttl, nodes, moreRouters = 0 }) => nodes.map((node) => ({ ttl, node, moreRouters })));
}

export const placeColumns: readonly Column<Router>[] = [
  column("ttl", ({ ttl }) => ttl),
  column("router", ({ node }) => (node.address === null ? "" : formatAddress(node.address))),
];

export const figureColumns: readonly Column<Router>[] = [
  column("flows", ({ node }) => node.flows.length),
  column("probes", ({ node }) => node.probes),
  column("answered", ({ node }) => node.answered),
  column("loss_percent", ({ node }) => Number(lossPercent(node).toFixed(2))),
  ...rttColumns.map(({ name, value }) => column(name, ({ node }) => value(node.rtt))),
  column("mpls_labels", ({ node }) => labelsInWords(node.labels)),
  column("says", ({ node }) => (node.kind === null ? "" : kindInWords(node.kind))),
];

function column(name: string, value: (router: Router) => unknown): Column<Router> {
  return { name, head: null, value };
}
