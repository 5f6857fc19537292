/**
 * Reads a view of possibly millions of rows, ordered by a key at the start of each, in windows of that key, and passes
 * them on as the store writes them, so that neither side holds more than a chunk.
 *
 * A slow reader must not block the store: a query that waits too long for its reader is cancelled, and others continue
 * after the last row taken, in windows small enough to be buffered.
 */
import type { Condition } from "../../engines/store/clickhouse/condition.ts";
import type { ReplyFilter } from "../../engines/store/clickhouse/reply-filter.ts";
import { type RowQuery, rowsOf } from "../../engines/store/clickhouse/rows.ts";
import { isColumnForm } from "../../measuring/formats/forms.ts";
import { type ContextJoin, contextJoin } from "./context-join.ts";
import { columnRows, firstRows, heldRows, planWindows, readerMsMax, streamedRows } from "./limits.ts";
import { openPages, wholePage } from "./sql-columns.ts";
import type { AskStore, Page, PageForm, ViewQuery, ViewText } from "./view.ts";

interface KeyedRows {
  /** The key in SQL, and the key as a whole number: a time is nanoseconds since the epoch. */
  readonly key: string;
  readonly keyNumber: string;
  readonly literal: (key: bigint) => string;
  /** A table expression with the rows that match a condition. */
  readonly from: (filter: ReplyFilter, condition: string) => Condition;
  /** Its rows as shown, ordered by key, with a stable order within one key. */
  readonly rows: (from: Condition, form: PageForm, query: ViewQuery, join: ContextJoin | null) => RowQuery;
  /** The context key of each row (context-pages.ts), if rows have one. */
  readonly contextKey?: { readonly of: string; readonly all: (from: Condition) => RowQuery };
  /** Parses the first value of a line. */
  readonly keyOf: (text: string) => bigint | null;
}

export function keyedPages(keyed: KeyedRows): ViewText["pages"] {
  return (ask, query, form) => new Reading(ask, keyed, query, form).pages();
}

interface Pace {
  readonly rows: number;
  readonly windows: number;
  readonly isHeld: boolean;
}

const firstPace: Pace = { rows: firstRows, windows: 1, isHeld: true };
const slowPace: Pace = { rows: heldRows, windows: planWindows, isHeld: true };
const fullPace: Pace = { rows: streamedRows, windows: planWindows, isHeld: false };

/** A columnar file is written as a whole, and does not hold up the store. */
function pacesOf(form: PageForm): readonly [first: Pace, full: Pace] {
  if (!isColumnForm(form)) {
    return [firstPace, fullPace];
  }
  const pace = { rows: columnRows[form], windows: planWindows, isHeld: true };
  return [pace, pace];
}

/** The position to continue after: one key, and a number of rows of the next. */
interface RowPosition {
  readonly after: bigint;
  readonly taken: number;
}

class Reading {
  readonly #ask: AskStore;
  readonly #keyed: KeyedRows;
  readonly #form: PageForm;
  readonly #query: ViewQuery;
  #left: number;
  #place: RowPosition = { after: -1n, taken: 0 };

  constructor(ask: AskStore, keyed: KeyedRows, query: ViewQuery, form: PageForm) {
    this.#ask = ask;
    this.#keyed = keyed;
    this.#form = form;
    this.#query = query;
    this.#left = query.limit ?? Number.POSITIVE_INFINITY;
  }

  async *pages(): AsyncGenerator<Page, void, undefined> {
    const [first, full] = pacesOf(this.#form);
    for (let pace = first; this.#left > 0; ) {
      const { ends, isLast } = await this.#plan(pace);
      let keepsUp = true;
      for (const until of ends) {
        keepsUp = yield* this.#window(until, pace);
        if (!keepsUp || this.#left <= 0) {
          break;
        }
      }
      if (keepsUp && isLast) {
        return;
      }
      pace = keepsUp ? full : slowPace;
    }
  }

  /** Rows above the one key, and up to the other; null = unbounded. */
  #from(after: bigint, until: bigint | null): Condition {
    const { key, literal, from } = this.#keyed;
    const end = until === null ? "" : ` AND ${key} <= ${literal(until)}`;
    return from(this.#query.filter, `${key} > ${literal(after)}${end}`);
  }

  /** Where the next windows end; null = unbounded. */
  async #plan({ rows, windows }: Pace) {
    const { after, taken } = this.#place;
    const asked = Math.min(this.#left, rows * windows) + taken;
    const { sql: from, params } = this.#from(after, null);
    const sql = `
      SELECT toUInt32(length(keys)) AS found, arrayMap(key -> toString(key), arrayFilter(
        (key, i) -> i % {rows:UInt64} = 0 OR i = {asked:UInt64}, keys, arrayEnumerate(keys))) AS ends
      FROM (SELECT arraySort(groupArray(key)) AS keys
        FROM (SELECT ${this.#keyed.keyNumber} AS key FROM ${from} ORDER BY key LIMIT {asked:UInt64}))`;
    const query = { sql, params: { ...params, rows, asked } };
    const [row] = await this.#ask((store) => Array.fromAsync(rowsOf<PlanRow>(store, query)));
    const { found, ends } = row ?? { found: 0, ends: [] };
    const isLast = found < asked;
    const untils: (bigint | null)[] = [...new Set(ends)].map(BigInt);
    return { ends: isLast ? [...untils, null] : untils, isLast };
  }

  async #join(from: Condition): Promise<ContextJoin | null> {
    const { addressContext } = this.#query;
    const { contextKey } = this.#keyed;
    return addressContext === undefined || contextKey === undefined
      ? null
      : await contextJoin(this.#ask, { key: contextKey.of, keys: contextKey.all(from) }, addressContext);
  }

  /** Returns whether the reader kept up; if not, the position is after the rows that it took. */
  async *#window(until: bigint | null, { isHeld }: Pace): AsyncGenerator<Page, boolean, undefined> {
    const { after, taken } = this.#place;
    const from = this.#from(after, until);
    const { sql, params } = this.#keyed.rows(from, this.#form, this.#query, await this.#join(from));
    const limit = Number.isFinite(this.#left) ? `LIMIT ${this.#left}` : "";
    const query = { sql: `${sql} ${limit} ${taken > 0 ? `OFFSET ${taken}` : ""}`, params };
    const form = this.#form;
    if (isHeld || isColumnForm(form)) {
      yield this.#counted(await this.#ask((store) => wholePage(store, query, form)));
    } else {
      const pages = await this.#ask((store) => openPages(store, query, form));
      const cutAt = yield* this.#patient(pages);
      if (cutAt !== null) {
        this.#place = cutAt;
        return false;
      }
    }
    this.#place = { after: until ?? after, taken: 0 };
    return true;
  }

  /** Returns the position after the last page if it stopped early. */
  async *#patient(
    pages: AsyncGenerator<Page, void, undefined>,
  ): AsyncGenerator<Page, RowPosition | null, undefined> {
    let [leftMs, cutAt]: [number, RowPosition | null] = [readerMsMax, null];
    for await (const page of pages) {
      const givenAtMs = performance.now();
      const timer = setTimeout(
        () => {
          cutAt = placeBehind(page, this.#keyed);
          if (cutAt !== null) {
            pages.return().catch(() => undefined);
          }
        },
        Math.max(0, leftMs),
      );
      try {
        yield this.#counted(page);
      } finally {
        clearTimeout(timer);
      }
      leftMs -= performance.now() - givenAtMs;
    }
    return cutAt;
  }

  #counted(page: Page): Page {
    this.#left -= page.rows;
    return page;
  }
}

interface PlanRow {
  readonly found: number;
  readonly ends: readonly string[];
}

/** Null when all rows of the page have one key: then the number of earlier rows is unknown. */
function placeBehind({ bytes, rows }: Page, { keyOf }: KeyedRows): RowPosition | null {
  const lines = new TextDecoder().decode(bytes).split("\n", rows);
  const keys = lines.map((line) => keyOf(/\d[^",\t]*/.exec(line)?.[0] ?? ""));
  const last = keys.at(-1) ?? null;
  const others = keys.findLastIndex((key) => key !== last) + 1;
  return last === null || others === 0 ? null : { after: last - 1n, taken: rows - others };
}
