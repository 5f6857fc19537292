/**
 * The way back from a row of JSON, as reply-columns.ts makes it, to a reply: for whoever is given rows over HTTP. Pure.
 *
 * Members that are not known are passed over. Null for a row that lacks one, or has one of another form.
 */
import * as v from "valibot";
import { parseAddress } from "../ip/address.ts";
import { ianaNumber, protocols } from "../packet/probe.ts";
import { rttUnknownTenthMs } from "../packet/reply.ts";
import { protocolNames } from "../paths/words.ts";
import type { StoredReply } from "../store/clickhouse/replies-query.ts";

const address = v.pipe(
  v.string(),
  v.transform(parseAddress),
  v.check((parsed) => parsed !== null),
  v.transform((parsed) => parsed ?? new Uint8Array(16)),
);
const u8 = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(255));
const u16 = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(65_535));

/** `2026-01-31T12:00:00.123456789Z`, to nanoseconds since the epoch. */
const timeNs = v.pipe(
  v.string(),
  v.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z$/),
  v.check((text) => !Number.isNaN(Date.parse(`${text.slice(0, 19)}Z`))),
  v.transform(
    (text) => BigInt(Date.parse(`${text.slice(0, 19)}Z`)) * 1_000_000n + BigInt(text.slice(20, 29)),
  ),
);

const label = v.pipe(
  v.object({ label: v.number(), exp: v.number(), bottom_of_stack: v.boolean(), ttl: v.number() }),
  v.transform(({ bottom_of_stack, ...entry }) => ({ ...entry, bottomOfStack: bottom_of_stack })),
);

const rowSchema = v.object({
  time_received: timeNs,
  measurement_id: v.string(),
  // A gateway of 0.1.0 does not say it.
  attribution: v.optional(v.picklist(["exact", "by_time", "none"]), "exact"),
  agent_id: v.string(),
  probe_agent: v.string(),
  probe_instance: v.number(),
  probe_src_addr: address,
  probe_dst_addr: address,
  probe_protocol: v.string(),
  probe_src_port: u16,
  probe_dst_port: u16,
  probe_ttl: u8,
  reply_src_addr: address,
  rtt_ms: v.nullable(v.number()),
  reply_dst_addr: address,
  reply_protocol: u8,
  reply_icmp_type: u8,
  reply_icmp_code: u8,
  reply_ttl: u8,
  reply_quoted_ttl: u8,
  reply_id: u16,
  reply_size: u16,
  probe_id: u16,
  probe_size: u16,
  reply_mpls_labels: v.array(label),
});

export function readReplyRow(row: unknown): StoredReply | null {
  const parsed = v.safeParse(rowSchema, row);
  return parsed.success ? storedReply(parsed.output) : null;
}

function storedReply(row: v.InferOutput<typeof rowSchema>): StoredReply {
  return {
    measurementId: row.measurement_id,
    attribution: row.attribution,
    probeAgent: row.probe_agent,
    probeInstance: row.probe_instance,
    timeInsertedNs: row.time_received,
    reply: {
      timeReceivedNs: row.time_received,
      agentId: row.agent_id,
      replySrcAddr: row.reply_src_addr,
      replyDstAddr: row.reply_dst_addr,
      replyId: row.reply_id,
      replySize: row.reply_size,
      replyTtl: row.reply_ttl,
      replyQuotedTtl: row.reply_quoted_ttl,
      replyProtocol: row.reply_protocol,
      replyIcmpType: row.reply_icmp_type,
      replyIcmpCode: row.reply_icmp_code,
      replyMplsLabels: row.reply_mpls_labels,
      probeSrcAddr: row.probe_src_addr,
      probeDstAddr: row.probe_dst_addr,
      probeId: row.probe_id,
      probeSize: row.probe_size,
      probeTtl: row.probe_ttl,
      probeProtocol: protocolNumber(row.probe_protocol),
      probeSrcPort: row.probe_src_port,
      probeDstPort: row.probe_dst_port,
      rttTenthMs: row.rtt_ms === null ? rttUnknownTenthMs : Math.round(row.rtt_ms * 10),
    },
  };
}

/** By its name; protocols without one are written as their IANA number. */
function protocolNumber(text: string): number {
  const protocol = protocols.find((known) => protocolNames[known] === text);
  return protocol === undefined ? Number(text) : ianaNumber[protocol];
}
