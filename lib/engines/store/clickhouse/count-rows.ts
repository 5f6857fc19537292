/** Counts a measurement's rows in the store, without reading them. */
import type { ColumnStore } from "./open.ts";
import { probeCondition, type ReplyFilter } from "./reply-filter.ts";
import { repliesFrom } from "./reply-source.ts";
import { type RowQuery, rowsOf } from "./rows.ts";

/** Rejects with Failure `store`. */
export function countReplies(store: ColumnStore, filter: ReplyFilter): Promise<number> {
  const { sql, params } = repliesFrom(filter);
  return countOf(store, { sql: `SELECT toString(count()) AS rows FROM ${sql}`, params });
}

/** A record that was ingested twice counts twice. Rejects with Failure `store`. */
export function countProbes(store: ColumnStore, filter: ReplyFilter): Promise<number> {
  const { sql, params } = probeCondition(filter);
  return countOf(store, { sql: `SELECT toString(count()) AS rows FROM measure.probes WHERE ${sql}`, params });
}

async function countOf(store: ColumnStore, query: RowQuery): Promise<number> {
  for await (const { rows } of rowsOf<{ rows: string }>(store, query)) {
    return Number(rows);
  }
  return 0;
}
