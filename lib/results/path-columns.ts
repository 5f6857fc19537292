/** Paths from the store, as objects and as rows of one router each. */
import { type Address, formatAddress } from "../ip/address.ts";
import { type HopNode, hopsOf, lossPercent, median } from "../paths/hops.ts";
import { hopsJson } from "../paths/hops-json.ts";
import { roundedMs } from "../paths/rounded-ms.ts";
import { kindInWords, labelsInWords } from "../paths/words.ts";
import type { Column } from "../terminal/rows-output.ts";
import type { StoredPath } from "./stored-path.ts";

const noNames: ReadonlyMap<string, string> = new Map();

/** A path as an object; `hops` as in `vantage trace -o json`, its flows indexes of `flows`. */
export const pathColumns: readonly Column<StoredPath>[] = [
  { name: "agent", head: null, value: ({ agent }) => agent },
  { name: "address", head: null, value: ({ target }) => formatAddress(target) },
  { name: "protocol", head: null, value: ({ protocol }) => protocol },
  { name: "flows", head: null, value: ({ flows }) => flows },
  { name: "reached", head: null, value: ({ path }) => path.reached() },
  { name: "probes", head: null, value: ({ path }) => totalsOf(path.totals()) },
  { name: "hops", head: null, value: ({ path, firstTtl }) => hopsJson(hopsOf(path, firstTtl), noNames) },
];

/** Whether an agent failed to send a probe is not in the store. */
function totalsOf({ sent, answered, lost }: { sent: number; answered: number; lost: number }) {
  return { submitted: sent, answered, lost };
}

/** One router of one hop. */
export interface RouterRow {
  readonly stored: StoredPath;
  readonly ttl: number;
  readonly node: HopNode;
}

export function routersOf(stored: StoredPath): RouterRow[] {
  return hopsOf(stored.path, stored.firstTtl).flatMap(({ ttl, nodes }) =>
    nodes.map((node) => ({ stored, ttl, node })),
  );
}

export const routerColumns: readonly Column<RouterRow>[] = [
  { name: "agent", head: null, value: ({ stored }) => stored.agent },
  { name: "address", head: null, value: ({ stored }) => formatAddress(stored.target) },
  { name: "protocol", head: null, value: ({ stored }) => stored.protocol },
  { name: "ttl", head: null, value: ({ ttl }) => ttl },
  { name: "router", head: null, value: ({ node }) => addressText(node.address) },
  { name: "flows", head: null, value: ({ node }) => node.flows.length },
  { name: "probes", head: null, value: ({ node }) => node.probes },
  { name: "answered", head: null, value: ({ node }) => node.answered },
  { name: "loss_percent", head: null, value: ({ node }) => Number(lossPercent(node).toFixed(2)) },
  { name: "rtt_best_ms", head: null, value: ({ node }) => roundedMs(node.rttsMs[0] ?? null) },
  { name: "rtt_median_ms", head: null, value: ({ node }) => roundedMs(median(node.rttsMs)) },
  { name: "rtt_worst_ms", head: null, value: ({ node }) => roundedMs(node.rttsMs.at(-1) ?? null) },
  { name: "mpls_labels", head: null, value: ({ node }) => labelsInWords(node.labels) },
  { name: "says", head: null, value: ({ node }) => (node.kind === null ? "" : kindInWords(node.kind)) },
];

function addressText(address: Address | null): string {
  return address === null ? "" : formatAddress(address);
}
