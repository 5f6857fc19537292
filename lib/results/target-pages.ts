/** Pages of a view that is made destination by destination, in their order. */
import type { ReplyFilter } from "../store/clickhouse/reply-filter.ts";
import type { RowQuery } from "../store/clickhouse/rows.ts";
import { type TargetWindow, targetWindows } from "../store/clickhouse/target-windows.ts";
import { linesOf, type SqlColumn, selectOf } from "./sql-columns.ts";
import type { ViewText } from "./view.ts";

/** `rows` is a query with the columns `agent` and `dst`, and those that `columns` are made from. */
export function targetPages(
  columns: readonly SqlColumn[],
  rows: (filter: ReplyFilter, window: TargetWindow) => RowQuery,
): ViewText["pages"] {
  return async function* pages(ask, { filter, limit }, form) {
    let left = limit ?? Number.POSITIVE_INFINITY;
    for await (const window of targetWindows(ask, filter, limit)) {
      const { sql: source, params } = rows(filter, window);
      const sql = `SELECT ${selectOf(columns, form)} FROM (${source}) AS source
        ORDER BY source.dst, source.agent ${limit === null ? "" : `LIMIT ${left}`}`;
      const page = await ask((store) => linesOf(store, { sql, params }, form));
      yield page;
      left -= page.rows;
      if (left <= 0) {
        return;
      }
    }
  };
}
