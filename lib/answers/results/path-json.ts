/** A path in JSON and in CSV. Pure. */
import * as v from "valibot";
import type { HopNode } from "../../measuring/paths/hops.ts";
import { hopsJson } from "../../measuring/paths/hops-json.ts";
import { natTtl, rewrittenNames } from "../../measuring/paths/rewriting.ts";
import { figureColumns, placeColumns, routersOf } from "../../measuring/paths/router-columns.ts";
import { formatAddress } from "../../net/ip/address.ts";
import { protocols } from "../../net/packet/probe.ts";
import { contextEntries } from "../enrich/context-fields.ts";
import { asPathSchema } from "../enrich/path-context.ts";
import { contextKey } from "./context-finders.ts";
import type { MeasuredPath } from "./read-path.ts";
import { address, count, labels } from "./value-forms.ts";

const ms = v.nullable(v.number());
const addressText = address.schema;
const number = count.schema;

const { name: _, ...contextMembers } = contextEntries;

const routerSchema = v.object({
  address: v.nullable(v.pipe(addressText, v.description("Null: no reply"))),
  name: v.nullable(v.string()),
  flows: v.pipe(v.array(number), v.description("Indexes of the flows of the path")),
  probes: number,
  answered: number,
  loss_percent: v.number(),
  rtt_min_ms: ms,
  rtt_p10_ms: ms,
  rtt_median_ms: ms,
  rtt_p90_ms: ms,
  rtt_max_ms: ms,
  rtt_mean_ms: ms,
  rtt_standard_deviation_ms: ms,
  rtt_jitter_ms: ms,
  rtt_samples_ms: v.array(v.number()),
  mpls_labels: labels.schema,
  answer: v.nullable(
    v.variant("kind", [
      v.object({ kind: v.picklist(["ttl_exceeded", "echo_reply", "syn_ack", "reset", "too_big"]) }),
      v.object({ kind: v.literal("unreachable"), family: v.picklist([4, 6]), code: number }),
      v.object({ kind: v.literal("dns_answer"), code: number, truncated: v.boolean() }),
      v.object({ kind: v.literal("other_error"), type: number, code: number }),
    ]),
  ),
  says: v.string(),
  quoted_traffic_classes: v.optional(
    v.pipe(v.array(number), v.description("DSCP and ECN of the probes as the router received them")),
  ),
  next_hop_mtus: v.optional(
    v.pipe(v.array(number), v.description("Bytes that its next hop takes, by errors for probes too big")),
  ),
  sites: v.optional(
    v.pipe(v.array(v.string()), v.description("What the name server's sites call themselves, by DNS probes")),
  ),
  rewritten: v.optional(
    v.pipe(
      v.array(v.string()),
      v.description("What its quotes have otherwise than it was sent: source, checksum …"),
    ),
  ),
  quoted_sources: v.optional(
    v.pipe(
      v.array(v.string()),
      v.description("Sources that are quoted in place of the probes' own: a NAT's"),
    ),
  ),
  ...contextMembers,
});

/** `hops` as in `vantage trace -o json`. */
export const pathSchema = v.object({
  agent: v.string(),
  address: addressText,
  protocol: v.picklist(protocols),
  flows: v.array(
    v.object({
      src_port: number,
      dst_port: number,
      end_ttl: v.nullable(v.pipe(number, v.description("TTL at which it ends; null: no known end"))),
    }),
  ),
  reached: v.boolean(),
  nat_ttl: v.pipe(
    v.optional(v.nullable(number), null),
    v.description("The first hop whose quotes show a NAT; null: none does"),
  ),
  probes: v.object({
    ...{ submitted: number, answered: number, lost: number },
    duplicates: v.pipe(number, v.description("further replies to probes that were already answered")),
  }),
  hops: v.array(
    v.object({
      ttl: number,
      routers: v.array(routerSchema),
      more_routers: v.optional(
        v.pipe(number, v.description("Further responding routers, left out by a limit")),
      ),
    }),
  ),
  as_paths: v.optional(v.array(asPathSchema)),
});

/** With each router's context key (context-pages.ts), if requested. */
export function pathJson(
  { agent, target, protocol, flows, reached, probes, hops }: MeasuredPath,
  isContextAsked: boolean,
) {
  const members = ({ contextKey: key = "" }: HopNode) => (isContextAsked ? { [contextKey]: key } : {});
  return {
    ...{ agent, address: formatAddress(target), protocol },
    flows: flows.map(({ srcPort, dstPort, endTtl }) => ({
      ...{ src_port: srcPort, dst_port: dstPort },
      end_ttl: endTtl,
    })),
    ...{ reached, nat_ttl: natTtl(hops), probes, hops: hopsJson(hops, (_, node) => members(node)) },
  };
}

/** CSV columns: a row for each router of each hop. */
export const routerNames: readonly string[] = [
  ...["agent", "address", "protocol"],
  ...[...placeColumns, ...figureColumns].map(({ name }) => name),
  // As `rewritten` and `quoted_sources` in JSON.
  ...["rewritten", "quoted_sources"],
  // Omitted routers of the hop; empty if all are listed.
  "more_routers",
];

/** In the order of `routerNames`, with each router's context key at the end if requested. */
export function routerRows(
  { agent, target, protocol, hops }: MeasuredPath,
  isContextAsked: boolean,
): string[][] {
  const head = [agent, formatAddress(target), protocol];
  return routersOf(hops).map((router) => [
    ...head,
    ...[...placeColumns, ...figureColumns].map(
      ({ value, text }) => text?.(router) ?? String(value(router) ?? ""),
    ),
    rewrittenNames(router.node.quoted?.rewriting.bits ?? 0).join("|"),
    (router.node.quoted?.rewriting.sources ?? []).join("|"),
    router.moreRouters === 0 ? "" : String(router.moreRouters),
    ...(isContextAsked ? [router.node.contextKey ?? ""] : []),
  ]);
}
