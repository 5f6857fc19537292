/** Pages of lists, and how many rows a list has in all. */
import type { PendingQuery } from "postgres";
import type { Database } from "./open.ts";

/** A list is counted up to here: a page of an operator's audit must not read a table of millions. */
export const rowsCountedMax = 10_000;

export interface PageOrder<Place = string> {
  readonly limit: number;
  /** The last row of the previous page. */
  readonly after?: Place | undefined;
  /** Whether all rows are counted, too. */
  readonly count?: boolean | undefined;
}

export interface ListPage<Row> {
  /** One more than the limit, where there is a next page. */
  readonly rows: readonly Row[];
  /** Up to `rowsCountedMax` + 1, which means more; null = not counted. */
  readonly total: number | null;
}

/** `select` returns the query for up to `limit` rows after a place. */
export async function readPage<Row extends object, Place = string>(
  { sql, timed }: Pick<Database, "sql" | "timed">,
  name: string,
  { limit, after, count = false }: PageOrder<Place>,
  select: (limit: number, after: Place | undefined) => PendingQuery<Row[]>,
): Promise<ListPage<Row>> {
  const rows = await timed(name, () => select(limit + 1, after));
  if (!count) {
    return { rows, total: null };
  }
  if (after === undefined && rows.length <= limit) {
    return { rows, total: rows.length };
  }
  const [all] = await timed(
    `${name}_count`,
    () => sql<{ total: number }[]>`
      SELECT count(*)::integer AS total FROM (${select(rowsCountedMax + 1, undefined)}) AS listed`,
  );
  return { rows, total: all?.total ?? 0 };
}
