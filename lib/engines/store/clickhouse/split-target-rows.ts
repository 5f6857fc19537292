/** The target rows of a filter, of raw rows and of the history, as each measurement is read. */
import type { Condition } from "./condition.ts";
import { splitFilter } from "./history-filter.ts";
import type { ColumnStore } from "./open.ts";
import { probeCondition, type ReplyFilter } from "./reply-filter.ts";
import { repliesFrom } from "./reply-source.ts";
import { targetRows } from "./target-rows-sql.ts";

/** Rejects with Failure `store`. */
export async function splitTargetRows(
  store: ColumnStore,
  filter: ReplyFilter,
  nowMs: number,
): Promise<Condition> {
  const { raw, history } = await splitFilter(store, filter, nowMs);
  const [replies, probes] = [repliesFrom(raw), probeCondition(raw)];
  const sources = { replies: replies.sql, probes: `measure.probes WHERE ${probes.sql}` };
  return {
    sql: targetRows(sources, history?.sql ?? null),
    params: { ...replies.params, ...probes.params, ...history?.params },
  };
}
