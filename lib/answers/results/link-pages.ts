/** Pages of links and of nodes: all of them are computed at once, whatever the destination, and read in parts. */
import { contextKey } from "./context-finders.ts";
import { linkRowsMax } from "./limits.ts";
import { type LinkSources, linkSources } from "./links-query.ts";
import { wholePage } from "./sql-columns.ts";
import type { PageForm, ViewQuery, ViewText } from "./view.ts";

interface LinkRows {
  /** The columns of `found`. `order` is total: no two rows are equal. */
  readonly select: (form: PageForm, query: ViewQuery) => string;
  readonly found: (sources: LinkSources) => string;
  readonly order: string;
}

/**
 * Each part after the first `linkRowsMax` rows is computed anew, so while the measurement runs, a row may be repeated
 * or missing.
 */
export function linkPages({ select, found, order }: LinkRows): ViewText["pages"] {
  return async function* pages(ask, query, form) {
    const { limit } = query;
    const { params, ...from } = linkSources(query.filter, query.against);
    const rows = `SELECT ${select(form, query)} FROM (${found({ ...from, params })}) AS found ORDER BY ${order}`;
    let left = limit ?? Number.POSITIVE_INFINITY;
    for (let first = 0; left > 0; first += linkRowsMax) {
      const count = Math.min(left, linkRowsMax);
      const sql = `${rows} LIMIT ${count} OFFSET ${first}`;
      const page = await ask((store) => wholePage(store, { sql, params }, form));
      if (page.rows > 0 || first === 0) {
        yield page;
      }
      left = page.rows < count ? 0 : left - count;
    }
  };
}

/** A router's context key, for the day of a time in nanoseconds; empty without a router. */
export function routerKeySql(addressText: string, ns: string): string {
  const day = `toDate(fromUnixTimestamp64Nano(toInt64(${ns}), 'UTC'))`;
  return `ifNull(concat(toString(${day}), ' ', ${addressText}), '')`;
}

/** A JSON member with the context of one end. */
export function endContext(name: string, key: string): string {
  return `CAST(tuple(${key}), 'Tuple(${contextKey} String)') AS ${name}`;
}
