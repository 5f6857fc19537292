/** The replies of a filter by time of capture, in windows: each is a short question, and the first is small. */
import type { Condition } from "../store/clickhouse/condition.ts";
import type { ReplyFilter } from "../store/clickhouse/reply-filter.ts";
import { repliesFrom } from "../store/clickhouse/reply-source.ts";
import { rowsOf } from "../store/clickhouse/rows.ts";
import { firstPageRows, pageRows, planPages } from "./limits.ts";
import { timeLiteral } from "./sql-literals.ts";
import type { AskStore } from "./view.ts";

/** Nanoseconds since the epoch: later than the one, and up to the other. */
export interface TimeWindow {
  readonly after: string;
  /** Null = without end. */
  readonly until: string | null;
}

export function inTime({ after, until }: TimeWindow): Condition {
  const end = until === null ? "1" : `time_received_ns <= ${timeLiteral(until)}`;
  return { sql: `time_received_ns > ${timeLiteral(after)} AND ${end}`, params: {} };
}

/** Enough for `limit` replies; null = all. Rejects with StoreError. */
export async function* timeWindows(
  ask: AskStore,
  filter: ReplyFilter,
  limit: number | null,
): AsyncGenerator<TimeWindow, void, undefined> {
  let [after, rows, pages] = ["0", firstPageRows, 1];
  let left = limit ?? Number.POSITIVE_INFINITY;
  while (left > 0) {
    const asked = Math.min(left, rows * pages);
    const { found, ends } = await plan(ask, filter, { after, rows: Math.min(rows, asked), asked });
    for (const until of new Set(ends)) {
      yield { after, until };
      after = until;
    }
    left = found < asked ? 0 : left - found;
    if (found < asked) {
      yield { after, until: null };
    }
    [rows, pages] = [pageRows, planPages];
  }
}

interface Plan {
  readonly found: number;
  /** The time of each reply that ends a page, and of the last one that was asked for. */
  readonly ends: readonly string[];
}

async function plan(
  ask: AskStore,
  filter: ReplyFilter,
  { after, rows, asked }: { readonly after: string; readonly rows: number; readonly asked: number },
): Promise<Plan> {
  const { sql: replies, params } = repliesFrom(filter, inTime({ after, until: null }));
  const sql = `
    SELECT toUInt32(length(times)) AS found, arrayMap(at -> toString(toUnixTimestamp64Nano(at)),
      arrayFilter((at, i) -> i % {rows:UInt64} = 0 OR i = {asked:UInt64}, times, arrayEnumerate(times))) AS ends
    FROM (SELECT arraySort(groupArray(at)) AS times
      FROM (SELECT time_received_ns AS at FROM ${replies} ORDER BY at LIMIT {asked:UInt64}))`;
  const [row] = await ask((store) =>
    Array.fromAsync(rowsOf<Plan>(store, { sql, params: { ...params, rows, asked } })),
  );
  return row ?? { found: 0, ends: [] };
}
