/** One look at the store in one view: asks, and prints row by row, in constant memory. */
import { catchmentColumns, lossColumns, withShares } from "../../../lib/results/figure-columns.ts";
import type { MeasuredPath } from "../../../lib/results/measured-path.ts";
import { pathColumns, routerColumns, routersOf } from "../../../lib/results/path-columns.ts";
import { pathPages } from "../../../lib/results/path-pages.ts";
import { replyColumns } from "../../../lib/results/reply-columns.ts";
import type { Unattributed } from "../../../lib/store/clickhouse/attributed-replies.ts";
import { queryCatchment } from "../../../lib/store/clickhouse/catchment-query.ts";
import { queryLoss } from "../../../lib/store/clickhouse/loss-query.ts";
import type { ColumnStore } from "../../../lib/store/clickhouse/open.ts";
import { queryReplies } from "../../../lib/store/clickhouse/replies-query.ts";
import { unattributedOf } from "../../../lib/store/clickhouse/reply-source.ts";
import { withStoredAttribution } from "../../../lib/store/clickhouse/stored-attribution.ts";
import type { Palette } from "../../../lib/terminal/colour.ts";
import { type Column, RowsOutput } from "../../../lib/terminal/rows-output.ts";
import { lossText } from "./loss-text.ts";
import type { Options } from "./options.ts";
import { pathText } from "./path-text.ts";

export interface Show {
  readonly print: (text: string) => void;
  readonly palette: Palette;
}

type Ask = Pick<Options, "view" | "filter" | "limit" | "format">;

export interface Shown {
  /** Or paths. */
  readonly rows: number;
  /** What is in no view of the measurement. */
  readonly unattributed: Unattributed;
}

/** Rejects with StoreError. */
export async function showView(store: ColumnStore, asked: Ask, show: Show): Promise<Shown> {
  // Another site of an anycast prefix does not know whose probe it heard the answer to.
  const ask = { ...asked, filter: await withStoredAttribution(store, asked.filter, Date.now()) };
  const rows = await showRowsOf(store, ask, show);
  return { rows, unattributed: await unattributedOf(store, ask.filter) };
}

async function showRowsOf(store: ColumnStore, ask: Ask, show: Show): Promise<number> {
  switch (ask.view) {
    case "replies":
      return await showRows(queryReplies(store, ask.filter, ask.limit), replyColumns, ask, show);
    case "paths":
      return await showPaths(eachOf(pathPages(store, ask.filter, ask.limit)), ask, show);
    case "loss":
      return await showLoss(store, ask, show);
    case "catchment": {
      const rows = await Array.fromAsync(queryCatchment(store, ask.filter, ask.limit));
      return await showRows(withShares(rows), catchmentColumns, ask, show);
    }
  }
}

export function outputOf<Row>(columns: readonly Column<Row>[], { format }: Ask, show: Show): RowsOutput<Row> {
  return new RowsOutput({ columns, format, print: show.print, dim: show.palette.dim });
}

async function showRows<Row>(
  rows: AsyncIterable<Row> | Iterable<Row>,
  columns: readonly Column<Row>[],
  ask: Ask,
  show: Show,
): Promise<number> {
  const output = outputOf(columns, ask, show);
  for await (const row of rows) {
    output.add(row);
  }
  output.finish();
  return output.rows;
}

async function showLoss(store: ColumnStore, ask: Ask, show: Show): Promise<number> {
  const output = outputOf(lossColumns, ask, show);
  const total = { submitted: 0, answered: 0 };
  for await (const row of queryLoss(store, ask.filter, ask.limit)) {
    output.add(row);
    total.submitted += row.submitted;
    total.answered += row.answered;
  }
  output.finish();
  if (ask.format === "table" && output.rows > 0) {
    show.print(lossText([total]));
  }
  return output.rows;
}

async function showPaths(paths: AsyncIterable<MeasuredPath>, ask: Ask, show: Show): Promise<number> {
  if (ask.format === "json" || ask.format === "ndjson") {
    return await showRows(paths, pathColumns, ask, show);
  }
  const rows = outputOf(routerColumns, ask, show);
  let count = 0;
  for await (const path of paths) {
    count++;
    if (ask.format === "table") {
      show.print(pathText(path, show.palette));
      continue;
    }
    for (const row of routersOf(path)) {
      rows.add(row);
    }
  }
  return count;
}

async function* eachOf<Item>(pages: AsyncIterable<readonly Item[]>): AsyncGenerator<Item> {
  for await (const page of pages) {
    yield* page;
  }
}
