/** Pages of a view that is computed by destination, in order. */

import type { ContextField } from "../enrich/context-fields.ts";
import { isColumnForm } from "../formats/forms.ts";
import type { ReplyFilter } from "../store/clickhouse/reply-filter.ts";
import type { RowQuery } from "../store/clickhouse/rows.ts";
import { type TargetWindow, targetWindows, type WindowSize } from "../store/clickhouse/target-windows.ts";
import { windowsAtOnce } from "./limits.ts";
import { wholePage } from "./sql-columns.ts";
import type { Page, PageForm, ViewText } from "./view.ts";

interface TargetRows extends Omit<WindowSize, "limit"> {
  /** The rows of a window in their order, without a limit. */
  readonly rows: (
    filter: ReplyFilter,
    window: TargetWindow,
    form: PageForm,
    isContextAsked: boolean,
  ) => RowQuery;
  /** Converts a window's rows, as JSON lines, where the store does not write the final text; brief ones stay. */
  readonly made?: (rows: Page, form: PageForm, fields: readonly ContextField[]) => Iterable<Page>;
  /** What is converted has the names of parts of tuples; else tuples are lists, which are read faster. */
  readonly hasNames?: boolean;
}

export function targetPages(view: TargetRows): ViewText["pages"] {
  const { rows, destinationsMax, made, hasNames = false } = view;
  return async function* pages(ask, { filter, limit, with: fields = [] }, form) {
    let left = limit ?? Number.POSITIVE_INFINITY;
    const read = (window: TargetWindow) => {
      const { sql, params } = rows(filter, window, form, fields.length > 0);
      // Each window may have all that is left: what the ones before it have is not known yet.
      const query = {
        sql: Number.isFinite(left) ? `${sql} LIMIT ${left}` : sql,
        params,
        areTuplesLists: made !== undefined && !hasNames,
      };
      return ask((store) => wholePage(store, query, made === undefined ? form : "ndjson"));
    };
    const windows = targetWindows(ask, filter, { limit, destinationsMax });
    let isNamed = !isColumnForm(form);
    // A file of columns cannot be cut: what is left must be known.
    for await (const page of inTurn(windows, isNamed ? windowsAtOnce : 1, read)) {
      isNamed = true;
      const wanted = firstRows(page, left);
      yield* made === undefined || form === "brief" ? [wanted] : made(wanted, form, fields);
      left -= wanted.rows;
      if (left <= 0) {
        return;
      }
    }
    if (!isNamed) {
      yield await read(noTarget);
    }
  };
}

/** For the names of columns without rows: it ends before it begins. */
const noTarget: TargetWindow = { first: "f".repeat(32), last: "0".repeat(32) };

function firstRows({ bytes, rows }: Page, most: number): Page {
  if (rows <= most) {
    return { bytes, rows };
  }
  let end = 0;
  for (let row = 0; row < most; row++) {
    end = bytes.indexOf(newline, end) + 1;
  }
  return { bytes: bytes.subarray(0, end), rows: most };
}

const newline = 10;

/** Makes something of each item, some at a time, also while one is processed: store and reader work side by side. */
async function* inTurn<Item, Made>(
  items: AsyncIterable<Item>,
  atOnce: number,
  make: (item: Item) => Promise<Made>,
): AsyncGenerator<Made, void, undefined> {
  const begun: Promise<Made>[] = [];
  try {
    for await (const item of items) {
      const made = make(item);
      // Whoever awaits it hears of a failure; nobody else must.
      made.catch(() => undefined);
      begun.push(made);
      if (begun.length >= atOnce) {
        yield await (begun.shift() as Promise<Made>);
      }
    }
    for (const made of begun) {
      yield await made;
    }
  } finally {
    await Promise.allSettled(begun);
  }
}
