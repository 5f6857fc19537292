/** Paths as objects, and as rows of one router each. */
import { formatAddress } from "../ip/address.ts";
import { type HopNode, lossPercent } from "../paths/hops.ts";
import { hopsJson } from "../paths/hops-json.ts";
import { rttColumns } from "../paths/rtt-columns.ts";
import { kindInWords, labelsInWords } from "../paths/words.ts";
import type { Column } from "../terminal/rows-output.ts";
import type { MeasuredPath } from "./measured-path.ts";

const noNames: ReadonlyMap<string, string> = new Map();

/** A path as an object; `hops` as in `vantage trace -o json`, its flows indexes of `flows`. */
export const pathColumns: readonly Column<MeasuredPath>[] = [
  { name: "agent", head: null, value: ({ agent }) => agent },
  { name: "address", head: null, value: ({ target }) => formatAddress(target) },
  { name: "protocol", head: null, value: ({ protocol }) => protocol },
  { name: "flows", head: null, value: flowsJson },
  { name: "reached", head: null, value: ({ reached }) => reached },
  { name: "probes", head: null, value: ({ probes }) => probes },
  { name: "hops", head: null, value: ({ hops }) => hopsJson(hops, noNames) },
];

function flowsJson({ flows }: MeasuredPath) {
  return flows.map(({ srcPort, dstPort, endTtl }) => ({
    src_port: srcPort,
    dst_port: dstPort,
    end_ttl: endTtl,
  }));
}

/** One router of one hop. */
export interface RouterRow {
  readonly path: MeasuredPath;
  readonly ttl: number;
  readonly node: HopNode;
}

export function routersOf(path: MeasuredPath): RouterRow[] {
  return path.hops.flatMap(({ ttl, nodes }) => nodes.map((node) => ({ path, ttl, node })));
}

export const routerColumns: readonly Column<RouterRow>[] = [
  column("agent", ({ path }) => path.agent),
  column("address", ({ path }) => formatAddress(path.target)),
  column("protocol", ({ path }) => path.protocol),
  column("ttl", ({ ttl }) => ttl),
  column("router", ({ node }) => (node.address === null ? "" : formatAddress(node.address))),
  column("flows", ({ node }) => node.flows.length),
  column("probes", ({ node }) => node.probes),
  column("answered", ({ node }) => node.answered),
  column("loss_percent", ({ node }) => Number(lossPercent(node).toFixed(2))),
  ...rttColumns.map(({ name, value }) => column(name, ({ node }) => value(node.rtt))),
  column("mpls_labels", ({ node }) => labelsInWords(node.labels)),
  column("says", ({ node }) => (node.kind === null ? "" : kindInWords(node.kind))),
];

function column(name: string, value: (row: RouterRow) => unknown): Column<RouterRow> {
  return { name, head: null, value };
}
