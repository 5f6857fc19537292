/**
 * The destinations of a filter, in order, in windows. They split a query about all of them, so that a large
 * measurement takes no more of the store's memory than a small one, and the first rows come at once.
 */
import type { Condition } from "./condition.ts";
import { firstWindowRows, windowPlanMax, windowRowsMax } from "./limits.ts";
import type { ColumnStore } from "./open.ts";
import { probeCondition, type ReplyFilter } from "./reply-filter.ts";
import { repliesFrom } from "./reply-source.ts";
import { rowsOf } from "./rows.ts";

/** Destinations from first to last, inclusive. */
export interface TargetWindow {
  /** 32 hexadecimal digits. */
  readonly first: string;
  readonly last: string;
}

interface DestinationPosition {
  readonly after: string | null;
  readonly count: number;
  readonly history: Condition | null;
}

interface DestinationRow {
  readonly destination: string;
  readonly rows: number;
}

export interface WindowSize {
  /** Destinations in all; null = all. */
  readonly limit: number | null;
  /** Destinations in one window: the reader holds their results. */
  readonly destinationsMax: number;
  /** Rows of the history that are read besides; null = none. */
  readonly history?: Condition | null;
}

/** Rejects with Failure `store`. */
export async function* targetWindows(
  ask: <Answer>(question: (store: ColumnStore) => Promise<Answer>) => Promise<Answer>,
  filter: ReplyFilter,
  { limit, destinationsMax, history = null }: WindowSize,
): AsyncGenerator<TargetWindow, void, undefined> {
  let left = limit ?? Number.POSITIVE_INFINITY;
  let after: string | null = null;
  while (left > 0) {
    const asked = Math.min(left, windowPlanMax);
    const place: DestinationPosition = { after, count: asked, history };
    const destinations: readonly DestinationRow[] = await ask((store) =>
      destinationsAfter(store, filter, place),
    );
    const rowsMax = after === null ? firstWindowRows : windowRowsMax;
    yield* windowsOf(destinations, rowsMax, destinationsMax);
    after = destinations.at(-1)?.destination ?? null;
    left = destinations.length < asked ? 0 : left - asked;
  }
}

/** Replies without a measurement answer submitted probes, so their destinations are included. */
async function destinationsAfter(
  store: ColumnStore,
  { attribution: _, ...filter }: ReplyFilter,
  { after, count, history }: DestinationPosition,
): Promise<readonly DestinationRow[]> {
  const later = after === null ? "1" : `probe_dst_addr > ${addressLiteral(after)}`;
  const [probes, replies] = [probeCondition(filter), repliesFrom(filter, { sql: later, params: {} })];
  const kept =
    history === null
      ? ""
      : `UNION ALL SELECT probe_dst_addr AS dst, count() AS count FROM measure.history
      WHERE ${history.sql} AND ${later} GROUP BY dst`;
  const sql = `
    SELECT hex(dst) AS destination, toUInt32(sum(count)) AS rows FROM (
      SELECT probe_dst_addr AS dst, count() AS count FROM measure.probes WHERE ${probes.sql} AND ${later} GROUP BY dst
      UNION ALL
      SELECT probe_dst_addr AS dst, count() AS count FROM ${replies.sql} GROUP BY dst
      ${kept})
    GROUP BY dst ORDER BY dst LIMIT {destinations:UInt64}`;
  const params = { ...probes.params, ...replies.params, ...history?.params, destinations: count };
  return await Array.fromAsync(rowsOf<DestinationRow>(store, { sql, params }));
}

function* windowsOf(
  destinations: readonly DestinationRow[],
  firstRowsMax: number,
  destinationsMax: number,
): Generator<TargetWindow, void, undefined> {
  let [begin, rows, rowsMax] = [0, 0, firstRowsMax];
  const window = (end: number) => ({
    first: destinations[begin]?.destination ?? "",
    last: destinations[end - 1]?.destination ?? "",
  });
  for (const [i, row] of destinations.entries()) {
    if (i > begin && (i - begin >= destinationsMax || rows + row.rows > rowsMax)) {
      yield window(i);
      [begin, rows, rowsMax] = [i, 0, windowRowsMax];
    }
    rows += row.rows;
  }
  if (begin < destinations.length) {
    yield window(destinations.length);
  }
}

/** A condition on `probe_dst_addr`. */
export function inWindow({ first, last }: TargetWindow): string {
  return `probe_dst_addr BETWEEN ${addressLiteral(first)} AND ${addressLiteral(last)}`;
}

function addressLiteral(hex: string): string {
  return `CAST(toFixedString(unhex('${hex}'), 16) AS IPv6)`;
}
