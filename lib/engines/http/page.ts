/** Pages of lists: bare arrays, with a link to the next page, and the number of all rows for those who ask. */
import type { Context } from "hono";
import * as v from "valibot";
import { digits } from "../../base/api/fields.ts";
import { pageRowsDefault, pageRowsMax } from "./limits.ts";

/** Query parameters of every list. */
export const pageQuery = {
  limit: v.optional(v.pipe(digits(6), v.minValue(1), v.maxValue(pageRowsMax)), String(pageRowsDefault)),
  count: v.pipe(
    v.optional(v.picklist(["true", "false"], "must be true or false")),
    v.description("true: X-Total-Count has the number of all rows; 10001 = more than 10,000"),
    v.transform((text) => text === "true"),
  ),
};

interface Page<Row> {
  /** Up to `limit` + 1: the extra one means that there is a next page. */
  readonly rows: readonly Row[];
  /** Null = not counted. */
  readonly total: number | null;
}

export function pageAnswer<Row>(
  c: Context,
  { rows, total }: Page<Row>,
  { limit, idOf }: { readonly limit: number; readonly idOf: (row: Row) => string },
): Response {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  if (rows.length > limit && last !== undefined) {
    const query = new URLSearchParams({ ...c.req.query(), after: idOf(last) });
    c.header("link", `<${c.req.path}?${query}>; rel="next"`);
  }
  countAnswer(c, total);
  return c.json(page);
}

export function countAnswer(c: Context, total: number | null): void {
  if (total !== null) {
    c.header("x-total-count", String(total));
  }
}
