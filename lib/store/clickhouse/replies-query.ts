/** The replies of a measurement, an agent or a destination, one by one. */
import { type Reply, rttUnknownTenthMs } from "../../packet/reply.ts";
import { rowsDefault } from "./limits.ts";
import type { ColumnStore } from "./open.ts";
import type { ReplyFilter } from "./reply-filter.ts";
import { repliesFrom } from "./reply-source.ts";
import { rowsOf } from "./rows.ts";

/** How a reply came to its measurement: by its own mark, by the time of its probe, or it has none. */
export type AttributionKind = "exact" | "by_time" | "none";

export interface StoredReply {
  readonly reply: Reply;
  readonly attribution: AttributionKind;
  /** Empty when it is not known. */
  readonly measurementId: string;
  /** The agent that sent the probe; empty when it is not known. */
  readonly probeAgent: string;
  /** The instance of `probeAgent`; 0 too when it is not known. */
  readonly probeInstance: number;
  /** Nanoseconds since the epoch. */
  readonly timeInsertedNs: bigint;
}

export interface ReplyRow {
  readonly insertedNs: string;
  readonly receivedNs: string;
  readonly agentId: string;
  /** Hexadecimal, 16 bytes each. */
  readonly replySrc: string;
  readonly replyDst: string;
  readonly probeSrc: string;
  readonly probeDst: string;
  /** The numbers of a reply, in the order of `numberColumns`. */
  readonly numbers: readonly number[];
  readonly labels: readonly LabelRow[];
  readonly measurementId: string;
  readonly probeAgent: string;
  readonly probeInstance: number;
  readonly attribution: AttributionKind;
}

/** Label, traffic class, bottom of stack, TTL. */
export type LabelRow = readonly [number, number, number, number];

const numberColumns = [
  ...["reply_id", "reply_size", "reply_ttl", "reply_quoted_ttl", "reply_protocol", "reply_icmp_type"],
  ...["reply_icmp_code", "probe_id", "probe_size", "probe_ttl", "probe_protocol", "probe_src_port"],
  ...["probe_dst_port", "rtt"],
];

/** What storedReply reads. */
export const columns = `toString(toUnixTimestamp64Nano(time_inserted_ns)) AS insertedNs,
  toString(toUnixTimestamp64Nano(time_received_ns)) AS receivedNs, agent_id AS agentId,
  hex(reply_src_addr) AS replySrc, hex(reply_dst_addr) AS replyDst,
  hex(probe_src_addr) AS probeSrc, hex(probe_dst_addr) AS probeDst,
  [${numberColumns.map((name) => `toUInt16(${name})`).join(", ")}] AS numbers, reply_mpls_labels AS labels,
  measurement_id AS measurementId, probe_agent AS probeAgent, probe_instance AS probeInstance, attribution`;

/** Replies by time of capture, oldest first; at most `limit`, or `rowsDefault`. Rejects with StoreError. */
export async function* queryReplies(
  store: ColumnStore,
  filter: ReplyFilter,
  limit: number = rowsDefault,
): AsyncGenerator<StoredReply, void, undefined> {
  const { sql, params } = repliesFrom(filter);
  const query = `SELECT ${columns} FROM ${sql} ORDER BY time_received_ns LIMIT {limit:UInt64}`;
  for await (const row of rowsOf<ReplyRow>(store, { sql: query, params: { ...params, limit } })) {
    yield storedReply(row);
  }
}

export function storedReply(row: ReplyRow): StoredReply {
  return {
    reply: replyOf(row),
    attribution: row.attribution,
    measurementId: row.measurementId,
    probeAgent: row.probeAgent,
    probeInstance: row.probeInstance,
    timeInsertedNs: BigInt(row.insertedNs),
  };
}

function replyOf(row: ReplyRow): Reply {
  const number = (name: string) => row.numbers[numberColumns.indexOf(name)] ?? 0;
  return {
    timeReceivedNs: BigInt(row.receivedNs),
    agentId: row.agentId,
    replySrcAddr: Uint8Array.fromHex(row.replySrc),
    replyDstAddr: Uint8Array.fromHex(row.replyDst),
    replyId: number("reply_id"),
    replySize: number("reply_size"),
    replyTtl: number("reply_ttl"),
    replyQuotedTtl: number("reply_quoted_ttl"),
    replyProtocol: number("reply_protocol"),
    replyIcmpType: number("reply_icmp_type"),
    replyIcmpCode: number("reply_icmp_code"),
    replyMplsLabels: row.labels.map(labelOf),
    probeSrcAddr: Uint8Array.fromHex(row.probeSrc),
    probeDstAddr: Uint8Array.fromHex(row.probeDst),
    probeId: number("probe_id"),
    probeSize: number("probe_size"),
    probeTtl: number("probe_ttl"),
    probeProtocol: number("probe_protocol"),
    probeSrcPort: number("probe_src_port"),
    probeDstPort: number("probe_dst_port"),
    rttTenthMs: number("rtt"),
  };
}

export function labelOf([label, exp, bottom, ttl]: LabelRow) {
  return { label, exp, bottomOfStack: bottom !== 0, ttl };
}

/** Milliseconds, or null for one that is not known. */
export function rttMsOf(rttTenthMs: number): number | null {
  return rttTenthMs === rttUnknownTenthMs ? null : rttTenthMs / 10;
}
