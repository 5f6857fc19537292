/**
 * Replies a page at a time, each page a short query of its own: who reads slowly holds nothing in the store, and a
 * place can be kept and gone on from later, by another process too.
 *
 * A place is a time and a key of the row among those of the same time. By time of insertion it holds for rows that
 * come later: inserts follow one another (the ingester and ClickHouse's Kafka engine have one at a time), and each
 * carries the time of its beginning, so nothing appears before a place that has been passed. A server may have been
 * given several inserters: there, rows are shown only when they are older than any insert takes.
 */
import type { Condition } from "./condition.ts";
import { insertWaitMs } from "./limits.ts";
import type { ColumnStore } from "./open.ts";
import { columns, type ReplyRow, type StoredReply, storedReply } from "./replies-query.ts";
import type { ReplyFilter } from "./reply-filter.ts";
import { type ReplySource, repliesFrom } from "./reply-source.ts";
import { rowsOf } from "./rows.ts";

export interface ReplyPlace {
  /** Nanoseconds since the epoch. */
  readonly atNs: bigint;
  /** 64 bits. */
  readonly rowKey: bigint;
}

export const beforeAll: ReplyPlace = { atNs: 0n, rowKey: 0n };

/** Behind all that was stored until then. */
export function placeAt(atNs: bigint): ReplyPlace {
  return { atNs, rowKey: 2n ** 64n - 1n };
}

export interface PageQuery {
  readonly filter: ReplyFilter;
  readonly source: ReplySource;
  readonly order: "received" | "inserted";
  readonly after: ReplyPlace;
  readonly rows: number;
}

export interface PlacedReply {
  readonly stored: StoredReply;
  readonly place: ReplyPlace;
}

/**
 * What tells rows of the same time apart, and puts those of one insert into the order of their capture: 40 bits of
 * nanoseconds, which wrap after 18 minutes, then 24 of a hash. Rows alike in all of it are one reply that was
 * published twice.
 */
const rowKey = `bitOr(bitShiftLeft(toUInt64(toUnixTimestamp64Nano(time_received_ns)) % 1099511627776, 24),
  cityHash64(agent_id, reply_src_addr, reply_id, probe_src_addr, probe_dst_addr, probe_id, probe_protocol,
    probe_src_port, probe_dst_port, probe_ttl, rtt) % 16777216)`;

/** At most `rows`; fewer mean that there are no more now. Rejects with StoreError. */
export async function readReplyPage(store: ColumnStore, query: PageQuery): Promise<PlacedReply[]> {
  const { filter, source, order, after, rows } = query;
  const time = order === "received" ? "time_received_ns" : "time_inserted_ns";
  const visible = order === "inserted" && store.kind === "server" ? `${time} <= ${insertedByNow}` : "1";
  const later = repliesFrom(filter, { sql: `${time} > afterTime AND ${visible}`, params: {} }, source);
  const inPage = `${time} BETWEEN afterTime AND greatest(afterTime, lastTime) AND ${visible}
    AND (${time} > afterTime OR ${rowKey} > {afterKey:UInt64})`;
  const page = repliesFrom(filter, { sql: inPage, params: {} }, source);
  // The last time is found first, of one column, so that the others are read of this page only.
  const sql = `
    WITH fromUnixTimestamp64Nano({afterNs:Int64}, 'UTC') AS afterTime,
      (SELECT max(at) FROM (SELECT ${time} AS at FROM ${later.sql} ORDER BY at LIMIT {rows:UInt64})) AS lastTime
    SELECT ${columns}, toString(toUnixTimestamp64Nano(${time})) AS placeNs, toString(${rowKey}) AS placeKey
    FROM ${page.sql} ORDER BY ${time}, ${rowKey} LIMIT {rows:UInt64}`;
  const params = {
    ...later.params,
    ...page.params,
    afterNs: String(after.atNs),
    afterKey: String(after.rowKey),
    rows,
  };
  const placed = await Array.fromAsync(rowsOf<PageRow>(store, { sql, params }));
  return placed.map((row) => ({
    stored: storedReply(row),
    place: { atNs: BigInt(row.placeNs), rowKey: BigInt(row.placeKey) },
  }));
}

/** Behind a place in the order of insertion. */
export function insertedAfter({ atNs, rowKey: key }: ReplyPlace): Condition {
  const at = `fromUnixTimestamp64Nano(${atNs}, 'UTC')`;
  const time = "time_inserted_ns";
  return { sql: `(${time} > ${at} OR (${time} = ${at} AND ${rowKey} > ${key}))`, params: {} };
}

const insertedByNow = `now64(9, 'UTC') - toIntervalMillisecond(${insertWaitMs})`;

interface PageRow extends ReplyRow {
  readonly placeNs: string;
  readonly placeKey: string;
}
