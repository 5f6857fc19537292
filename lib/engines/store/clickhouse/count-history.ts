/**
 * Counts measurements into the history (sql/clickhouse/025-history.sql) from their raw rows, so its figures are those
 * of the views. A measurement is counted once no row of it has arrived for an hour, and again after late rows.
 *
 * Rows are read and inserted in two statements, as an embedded store runs one write at a time. Views see a measurement
 * once its row in `history_counted` is stored, the last one. It may be repeated, or run twice at a time.
 */
import { clusterOf } from "./cluster-of.ts";
import {
  historyBatchMax,
  historyLatestMs,
  historyQuietMs,
  historySearchMax,
  windowDestinationsMax,
} from "./limits.ts";
import type { ColumnStore } from "./open.ts";
import { probeCondition, type ReplyFilter } from "./reply-filter.ts";
import { repliesFrom } from "./reply-source.ts";
import { isFound, linesOf, rowsOf } from "./rows.ts";
import { textLiteral } from "./sql-literals.ts";
import { unmarked, withStoredAttribution } from "./stored-attribution.ts";
import { historyColumns, neverSql, rawTargetRows } from "./target-rows-sql.ts";
import { inWindow, type TargetWindow, targetWindows } from "./target-windows.ts";
import { insertRows, runCommand } from "./write.ts";

interface CountOrder {
  readonly nowMs: number;
  readonly signal: AbortSignal;
}

interface DueRow {
  readonly id: string;
  readonly day: string;
  readonly probeRows: string;
  readonly replyRows: string;
}

/**
 * Counts all that is due. Resolves to the number of measurements. Rejects with Failure `store`, and on the signal; what
 * was counted stays.
 */
export async function countHistory(store: ColumnStore, { nowMs, signal }: CountOrder): Promise<number> {
  if ((await clusterOf(store)) !== null) {
    return 0;
  }
  const isMarked = !(await isFound(store, unmarked));
  let counted = 0;
  for (let due = await dueRows(store, nowMs); due.length > 0; due = await dueRows(store, nowMs)) {
    // A reply without a measurement is attributed to one of them at a time.
    const atOnce = isMarked ? historyBatchMax : 1;
    for (let i = 0; i < due.length; i += atOnce) {
      signal.throwIfAborted();
      counted += await countBatch(store, due.slice(i, i + atOnce), nowMs);
    }
    if (due.length < historySearchMax) {
      break;
    }
  }
  return counted;
}

/** Raw rows expire, so fewer than were counted mean nothing; more are late ones, if all probes still exist. */
async function dueRows(store: ColumnStore, nowMs: number): Promise<DueRow[]> {
  const time = (ms: number) => `fromUnixTimestamp64Milli(toInt64(${Math.round(ms)}), 'UTC')`;
  const quiet = time(nowMs - historyQuietMs);
  const sql = `
    SELECT id, toString(toDate(first, 'UTC')) AS day, toString(probes) AS probeRows, toString(replies) AS replyRows
    FROM (
      SELECT id, min(firstAt) AS first, max(lastAt) AS last, max(lastReplyAt) AS lastReply,
        sum(sent) AS probes, sum(received) AS replies,
        max(counted) AS countedAt, max(p) AS probesBefore, max(r) AS repliesBefore
      FROM (
        SELECT toString(measurement_id) AS id, min(time_submitted) AS firstAt, max(time_submitted) AS lastAt,
          ${time(0)} AS lastReplyAt, count() AS sent, toUInt64(0) AS received, ${time(0)} AS counted, toUInt64(0) AS p,
          toUInt64(0) AS r
        FROM measure.probes WHERE measurement_id != '' GROUP BY id
        UNION ALL
        SELECT toString(measurement_id) AS id, ${neverSql}, ${time(0)}, toDateTime64(max(time_received_ns), 3, 'UTC'),
          0, count(), ${time(0)}, 0, 0
        FROM measure.replies WHERE measurement_id != '' GROUP BY id
        UNION ALL
        SELECT measurement_id AS id, ${neverSql}, ${time(0)}, ${time(0)}, 0, 0, max(time_counted),
          argMax(probe_rows, time_counted), argMax(reply_rows, time_counted)
        FROM measure.history_counted GROUP BY id)
      GROUP BY id)
    WHERE probes > 0 AND last < ${quiet} AND (lastReply < ${quiet} OR last < ${time(nowMs - historyLatestMs)})
      AND countedAt < ${quiet}
      AND (probes > probesBefore OR probes = probesBefore AND replies > repliesBefore)
    ORDER BY first, id LIMIT ${historySearchMax}`;
  return await Array.fromAsync(rowsOf<DueRow>(store, { sql, params: {} }));
}

async function countBatch(store: ColumnStore, due: readonly DueRow[], nowMs: number): Promise<number> {
  const filter = await filterOf(store, due, nowMs);
  const size = { limit: null, destinationsMax: windowDestinationsMax };
  for await (const window of targetWindows((question) => question(store), filter, size)) {
    await countWindow(store, filter, window, nowMs);
  }
  // Who was erased meanwhile must not come back.
  const left = new Set(await stillStored(store, due));
  const gone = due.filter(({ id }) => !left.has(id));
  if (gone.length > 0) {
    await runCommand(store, `ALTER TABLE measure.history DELETE WHERE ${isOf(gone)}`);
  }
  const kept = due.filter(({ id }) => left.has(id));
  if (kept.length > 0) {
    await markCounted(store, kept, nowMs);
  }
  return kept.length;
}

async function filterOf(store: ColumnStore, due: readonly DueRow[], nowMs: number): Promise<ReplyFilter> {
  const [only] = due;
  if (only !== undefined && due.length === 1) {
    return await withStoredAttribution(store, { measurementId: only.id }, nowMs);
  }
  return { runs: due.map(({ id }, run) => ({ measurementId: id, run, plannedMs: 0 })) };
}

async function countWindow(
  store: ColumnStore,
  filter: ReplyFilter,
  window: TargetWindow,
  nowMs: number,
): Promise<void> {
  const own = inWindow(window);
  const [replies, probes] = [repliesFrom(filter, { sql: own, params: {} }), probeCondition(filter)];
  const rows = rawTargetRows({
    replies: replies.sql,
    probes: `measure.probes WHERE ${probes.sql} AND ${own}`,
  });
  const counted = `fromUnixTimestamp64Milli(toInt64(${Math.round(nowMs)}), 'UTC')`;
  const sql = `SELECT toDate(firstAt, 'UTC'), ${Object.values(historyColumns).join(", ")}, ${counted} FROM (${rows})`;
  const params = { ...replies.params, ...probes.params };
  const lines = await Array.fromAsync(await linesOf(store, { sql, params }, "TabSeparated"));
  if (lines.length > 0) {
    const columns = ["date", ...Object.keys(historyColumns), "time_counted"].join(", ");
    const query = `INSERT INTO measure.history (${columns}) FORMAT TabSeparated`;
    await insertRows(store, { query, pieces: lines });
  }
}

async function stillStored(store: ColumnStore, due: readonly DueRow[]): Promise<string[]> {
  const sql = `SELECT DISTINCT toString(measurement_id) AS id FROM measure.probes WHERE ${isOf(due)}`;
  const rows = await Array.fromAsync(rowsOf<{ id: string }>(store, { sql, params: {} }));
  return rows.map(({ id }) => id);
}

async function markCounted(store: ColumnStore, due: readonly DueRow[], nowMs: number): Promise<void> {
  const at = new Date(nowMs).toISOString().slice(0, 23).replace("T", " ");
  const lines = due.map((row) => `${[row.day, row.id, row.probeRows, row.replyRows, at].join("\t")}\n`);
  const columns = "date, measurement_id, probe_rows, reply_rows, time_counted";
  const query = `INSERT INTO measure.history_counted (${columns}) FORMAT TabSeparated`;
  await insertRows(store, { query, pieces: [Buffer.from(lines.join(""))] });
}

function isOf(due: readonly DueRow[]): string {
  return `measurement_id IN (${due.map(({ id }) => textLiteral(id)).join()})`;
}
