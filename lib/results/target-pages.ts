/** Pages of a view that is computed by destination, in order. */

import { isColumnForm } from "../formats/forms.ts";
import type { ReplyFilter } from "../store/clickhouse/reply-filter.ts";
import type { RowQuery } from "../store/clickhouse/rows.ts";
import { type TargetWindow, targetWindows, type WindowSize } from "../store/clickhouse/target-windows.ts";
import { wholePage } from "./sql-columns.ts";
import type { AskStore, Page, PageForm, ViewQuery, ViewText } from "./view.ts";

interface TargetRows extends Omit<WindowSize, "limit"> {
  /** The rows of a window in their order, without a limit. */
  readonly rows: (filter: ReplyFilter, window: TargetWindow, form: PageForm) => RowQuery;
  /** Converts a window's rows, as JSON lines, where the store does not write the final text. */
  readonly made?: (rows: Page, form: PageForm) => Iterable<Page>;
}

export function targetPages(view: TargetRows): ViewText["pages"] {
  return async function* pages(ask, query, form) {
    // While rows are made, and written, the store works on the next ones.
    for await (const page of prefetched(windowPages(view, ask, query, form))) {
      yield* view.made?.(page, form) ?? [page];
    }
  };
}

async function* windowPages(
  { rows, destinationsMax, made }: TargetRows,
  ask: AskStore,
  { filter, limit }: ViewQuery,
  form: PageForm,
): AsyncGenerator<Page, void, undefined> {
  let left = limit ?? Number.POSITIVE_INFINITY;
  let isNamed = !isColumnForm(form);
  for await (const window of targetWindows(ask, filter, { limit, destinationsMax })) {
    const { sql, params } = rows(filter, window, form);
    const limited = limit === null ? sql : `${sql} LIMIT ${left}`;
    const query = { sql: limited, params, areTuplesLists: made !== undefined };
    const page = await ask((store) => wholePage(store, query, made === undefined ? form : "ndjson"));
    yield page;
    isNamed = true;
    left -= page.rows;
    if (left <= 0) {
      return;
    }
  }
  if (!isNamed) {
    yield await ask((store) => wholePage(store, rows(filter, noTarget, form), form));
  }
}

/** For the names of columns without rows: it ends before it begins. */
const noTarget: TargetWindow = { first: "f".repeat(32), last: "0".repeat(32) };

/** Prefetches the next item while the current one is processed, so that producer and consumer run in parallel. */
async function* prefetched<Item>(
  items: AsyncGenerator<Item, void, undefined>,
): AsyncGenerator<Item, void, undefined> {
  let next = items.next();
  try {
    for (let item = await next; item.done !== true; item = await next) {
      next = items.next();
      yield item.value;
    }
  } finally {
    // Awaits the pending item; its result does not matter any more.
    await next.catch(() => undefined);
    await items.return();
  }
}
