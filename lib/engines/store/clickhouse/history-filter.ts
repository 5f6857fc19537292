/**
 * Which measurements of a filter are read from the history (sql/clickhouse/025-history.sql), and which from their raw
 * rows. Each is read from one of the two as a whole, so none is counted twice, and none is missing in between: from the
 * history if it is complete there and began before the days whose raw rows all exist, else from the raw rows.
 */
import type { Condition } from "./condition.ts";
import { keptDays } from "./kept-days.ts";
import type { ColumnStore } from "./open.ts";
import { probeCondition, type ReplyFilter } from "./reply-filter.ts";
import { rowsOf } from "./rows.ts";
import { textLiteral } from "./sql-literals.ts";

export interface SplitFilter {
  /** For raw rows. */
  readonly raw: ReplyFilter;
  /** For `measure.history`; null = none of it. */
  readonly history: Condition | null;
}

const dayMs = 86_400_000;

/**
 * Only filters of a measurement or of a campaign's runs reach the history. Rows there have no source, and replies that
 * are still to be attributed have raw rows. Rejects with Failure `store`.
 */
export async function splitFilter(
  store: ColumnStore,
  filter: ReplyFilter,
  nowMs: number,
): Promise<SplitFilter> {
  const { measurementId, ...others } = filter;
  const { runs, source, attribution } = filter;
  const asked = runs?.map((run) => run.measurementId) ?? (measurementId === undefined ? [] : [measurementId]);
  if (asked.length === 0 || source !== undefined || attribution !== undefined) {
    return { raw: filter, history: null };
  }
  const before = await firstWholeDay(store, nowMs);
  const ids = new Set(before === null ? [] : await completeIds(store, asked, before));
  if (ids.size === 0) {
    return { raw: filter, history: null };
  }
  const known = runs ?? asked.map((id) => ({ measurementId: id, run: 0, plannedMs: 0 }));
  const rest = known.filter((run) => !ids.has(run.measurementId));
  const kept = known.filter((run) => ids.has(run.measurementId));
  return {
    raw: runs === undefined ? { ...filter, runs: [] } : { ...filter, runs: rest },
    // Its columns of the same names mean the same, of the first probe.
    history: probeCondition({ ...others, runs: kept }),
  };
}

/** The first of the days whose raw rows have certainly not begun to expire; null = the store has no history. */
async function firstWholeDay(store: ColumnStore, nowMs: number): Promise<string | null> {
  const days = await keptDays(store, ["probes", "history"]);
  // The front of a cluster shows no retention, and its shards' histories are not complete by themselves.
  const probeDays = days.get("probes") ?? null;
  return probeDays === null || !days.has("history")
    ? null
    : new Date(nowMs - (probeDays - 2) * dayMs).toISOString().slice(0, 10);
}

async function completeIds(store: ColumnStore, asked: readonly string[], before: string): Promise<string[]> {
  const sql = `SELECT DISTINCT measurement_id AS id FROM measure.history_counted
    WHERE measurement_id IN (${asked.map(textLiteral).join()}) AND date < {before:Date}`;
  const rows = await Array.fromAsync(rowsOf<{ id: string }>(store, { sql, params: { before } }));
  return rows.map(({ id }) => id);
}
