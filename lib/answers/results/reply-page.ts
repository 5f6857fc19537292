/**
 * Replies in insertion order, a page at a time, each page a separate short query: a slow reader blocks nothing in the
 * store, and a position can be stored and resumed later, by another process too.
 *
 * A position is a time of insertion and a key of the row among those of the same time. It stays valid for later rows:
 * inserts are sequential (the ingester and ClickHouse's Kafka engine have one at a time), and each carries
 * its start time, so no row appears before a position that has been passed. A server may have several
 * inserters: there, rows are shown only when they are older than any insert takes.
 */
import type { Condition } from "../../engines/store/clickhouse/condition.ts";
import { insertWaitMs } from "../../engines/store/clickhouse/limits.ts";
import type { ColumnStore } from "../../engines/store/clickhouse/open.ts";
import type { ReplyFilter } from "../../engines/store/clickhouse/reply-filter.ts";
import { type ReplySource, repliesFrom } from "../../engines/store/clickhouse/reply-source.ts";
import { rowsOf } from "../../engines/store/clickhouse/rows.ts";
import { timeLiteral } from "../../engines/store/clickhouse/sql-literals.ts";
import { rowKey } from "./row-key.ts";
import { selectOf } from "./sql-columns.ts";
import { type ReplyRow, replyColumns } from "./views/replies.ts";

export interface ReplyPosition {
  /** Nanoseconds since the epoch. */
  readonly atNs: bigint;
  /** 64 bits. */
  readonly rowKey: bigint;
}

export const beforeAll: ReplyPosition = { atNs: 0n, rowKey: 0n };

/** The position after all rows stored until then. */
export function positionAt(atNs: bigint): ReplyPosition {
  return { atNs, rowKey: 2n ** 64n - 1n };
}

export interface PageQuery {
  readonly filter: ReplyFilter;
  readonly source: ReplySource;
  readonly after: ReplyPosition;
  readonly rows: number;
  /** The last time of insertion, in nanoseconds since the epoch; absent = all. */
  readonly untilNs?: bigint;
}

export interface PositionedReply {
  readonly row: ReplyRow;
  readonly place: ReplyPosition;
}

/** At most `rows`; fewer mean that there are currently no more. Rejects with Failure `store`. */
export async function readReplyPage(store: ColumnStore, query: PageQuery): Promise<PositionedReply[]> {
  const { filter, source, after, rows, untilNs } = query;
  const isInserted =
    store.kind === "server"
      ? `time_inserted_ns <= now64(9, 'UTC') - toIntervalMillisecond(${insertWaitMs})`
      : "1";
  const visible =
    untilNs === undefined ? isInserted : `${isInserted} AND time_inserted_ns <= ${timeLiteral(untilNs)}`;
  const later = repliesFrom(
    filter,
    { sql: `time_inserted_ns > afterTime AND ${visible}`, params: {} },
    source,
  );
  const inPage = `time_inserted_ns BETWEEN afterTime AND greatest(afterTime, lastTime) AND ${visible}
    AND ${insertedAfter(after).sql}`;
  const page = repliesFrom(filter, { sql: inPage, params: {} }, source);
  // The last time is found first, from one column, so that the others are read for this page only.
  const sql = `
    WITH ${timeLiteral(after.atNs)} AS afterTime,
      (SELECT max(at) FROM (SELECT time_inserted_ns AS at FROM ${later.sql} ORDER BY at LIMIT {rows:UInt64}))
        AS lastTime
    SELECT ${selectOf(replyColumns, "ndjson")},
      toString(toUnixTimestamp64Nano(reply.time_inserted_ns)) AS placeNs, toString(${rowKey("reply")}) AS placeKey
    FROM ${page.sql} AS reply ORDER BY reply.time_inserted_ns, ${rowKey("reply")} LIMIT {rows:UInt64}`;
  const params = { ...later.params, ...page.params, rows };
  const placed = await Array.fromAsync(rowsOf<PageRow>(store, { sql, params }));
  return placed.map(({ placeNs, placeKey, ...row }) => ({
    row,
    place: { atNs: BigInt(placeNs), rowKey: BigInt(placeKey) },
  }));
}

/** The time by the clock that stamps insertions, in nanoseconds since the epoch. Rejects with Failure `store`. */
export async function storeTimeNs(store: ColumnStore): Promise<bigint> {
  const sql = "SELECT toString(toUnixTimestamp64Nano(now64(9, 'UTC'))) AS ns";
  for await (const { ns } of rowsOf<{ readonly ns: string }>(store, { sql, params: {} })) {
    return BigInt(ns);
  }
  throw new Error("The store returned no time");
}

/** A condition for rows after a position. */
export function insertedAfter({ atNs, rowKey: key }: ReplyPosition): Condition {
  const [time, at] = ["time_inserted_ns", timeLiteral(atNs)];
  return {
    sql: `(${time} > ${at} OR (${time} = ${at} AND ${rowKey("replies")} > ${key}))`,
    params: {},
  };
}

interface PageRow extends ReplyRow {
  readonly placeNs: string;
  readonly placeKey: string;
}
