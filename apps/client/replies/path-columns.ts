/** Paths from the store: as drawings, as objects, and as rows of one router each. Pure. */
import { type Address, formatAddress } from "../../../lib/ip/address.ts";
import { type HopNode, hopsOf, lossPercent, median } from "../../../lib/paths/hops.ts";
import { hopsJson } from "../../../lib/paths/hops-json.ts";
import { pathTable } from "../../../lib/paths/path-table.ts";
import { roundedMs } from "../../../lib/paths/rounded-ms.ts";
import { kindInWords, labelsInWords, protocolNames, reachedInWords } from "../../../lib/paths/words.ts";
import type { Palette } from "../../../lib/terminal/colour.ts";
import type { Column } from "../../../lib/terminal/rows-output.ts";
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

/** A title, the hops with their lanes, and a sentence. */
export function pathText(stored: StoredPath, palette: Palette): string {
  const { agent, target, flows, firstTtl, path, protocol } = stored;
  const hops = hopsOf(path, firstTtl);
  const table = pathTable({ target, hops, flows: flows.length, names: noNames, coarse: true }, palette);
  const { sent, answered, lost } = path.totals();
  const verdict = path.reached() ? palette.good(reachedInWords(path)) : palette.bad(endOf(stored));
  return [
    palette.bold(`${agent} to ${formatAddress(target)}: ${protocolNames[protocol]}, ${flowsText(stored)}`),
    ...table,
    `  ${verdict}: ${sent} probes submitted, ${answered} answered, ${lost} without answer`,
    "",
  ].join("\n");
}

function flowsText({ flows, protocol }: StoredPath): string {
  const ports = [...new Set(flows.map(({ srcPort }) => srcPort))];
  const range = ports.length > 1 ? `${ports[0]}–${ports.at(-1)}` : `${ports[0]}`;
  const to = [...new Set(flows.map(({ dstPort }) => dstPort))];
  const target = protocol === "icmp" || protocol === "icmpv6" || to.length > 1 ? "" : ` to port ${to[0]}`;
  return `${flows.length} ${flows.length === 1 ? "flow" : "flows"} (${range})${target}`;
}

function endOf({ path }: StoredPath): string {
  const refusal = path.answers().find(({ kind }) => kind.kind === "unreachable");
  if (refusal !== undefined) {
    return `Not reached: ${formatAddress(refusal.from)} says ${kindInWords(refusal.kind)}`;
  }
  return path.lastAnsweredTtl === 0
    ? "No answer"
    : `Not reached: no answer beyond hop ${path.lastAnsweredTtl}`;
}
