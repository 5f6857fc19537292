/** Paths from the store, some at a time, as far as they are asked for. */
import type { ColumnStore } from "../store/clickhouse/open.ts";
import type { ReplyFilter } from "../store/clickhouse/reply-filter.ts";
import { rowsOf } from "../store/clickhouse/rows.ts";
import { targetWindows } from "../store/clickhouse/target-windows.ts";
import type { MeasuredPath } from "./measured-path.ts";
import { type PathRow, pathsQuery } from "./paths-query.ts";
import { measuredPath } from "./read-path.ts";

/** By target, agent and protocol; at most `limit`, null = all. Rejects with StoreError. */
export async function* pathPages(
  store: ColumnStore,
  filter: ReplyFilter,
  limit: number | null,
): AsyncGenerator<readonly MeasuredPath[], void, undefined> {
  let left = limit ?? Number.POSITIVE_INFINITY;
  for await (const window of targetWindows(store, filter, limit)) {
    const rows = await Array.fromAsync(rowsOf<PathRow>(store, pathsQuery(filter, window)));
    yield rows.slice(0, left).map(measuredPath);
    left -= rows.length;
    if (left <= 0) {
      return;
    }
  }
}
