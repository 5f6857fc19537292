/** Pages of lists: bare arrays, with a link to the next page. */
import type { Context } from "hono";
import * as v from "valibot";
import { digits } from "../../base/api/fields.ts";
import { pageRowsDefault, pageRowsMax } from "./limits.ts";

/** `?limit`, of a list's query. */
export const pageLimit = v.optional(
  v.pipe(digits(6), v.minValue(1), v.maxValue(pageRowsMax)),
  String(pageRowsDefault),
);

/** `rows` has up to `limit` + 1 entries: the extra one means that there is a next page. */
export function pageAnswer<Row>(
  c: Context,
  rows: readonly Row[],
  { limit, idOf }: { readonly limit: number; readonly idOf: (row: Row) => string },
): Response {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  if (rows.length > limit && last !== undefined) {
    const query = new URLSearchParams({ ...c.req.query(), after: idOf(last) });
    c.header("link", `<${c.req.path}?${query}>; rel="next"`);
  }
  return c.json(page);
}
