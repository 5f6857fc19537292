/** Paths, loss and catchment of a measurement: made whole before they are sent, so that no reader keeps the store. */
import { catchmentColumns, lossColumns, withShares } from "../../../lib/results/figure-columns.ts";
import { pathColumns, routerColumns, routersOf } from "../../../lib/results/path-columns.ts";
import { pathPages } from "../../../lib/results/path-pages.ts";
import { queryCatchment } from "../../../lib/store/clickhouse/catchment-query.ts";
import { queryLoss } from "../../../lib/store/clickhouse/loss-query.ts";
import type { ColumnStore } from "../../../lib/store/clickhouse/open.ts";
import type { ReplyFilter } from "../../../lib/store/clickhouse/reply-filter.ts";
import { figureRowsDefault, figureRowsMax, pathsDefault, pathsMax } from "./limits.ts";
import type { RowFormat } from "./read-query.ts";
import { rowTexts } from "./row-texts.ts";

export interface FigureOrder {
  readonly filter: ReplyFilter;
  readonly limit: number;
  readonly format: RowFormat;
}

export interface Figure {
  readonly name: "paths" | "loss" | "catchment";
  readonly summary: string;
  readonly limitDefault: number;
  readonly limitMax: number;
  /** The whole answer. Rejects with StoreError. */
  readonly make: (store: ColumnStore, order: FigureOrder) => Promise<string>;
}

export const figures: readonly Figure[] = [
  {
    name: "paths",
    summary: "The paths from each agent to each destination, hop by hop",
    limitDefault: pathsDefault,
    limitMax: pathsMax,
    make: makePaths,
  },
  {
    name: "loss",
    summary: "How many of the submitted probes were answered, by agent and destination",
    limitDefault: figureRowsDefault,
    limitMax: figureRowsMax,
    make: async (store, { filter, limit, format }) => {
      const rows = await Array.fromAsync(queryLoss(store, filter, limit));
      return whole(rowTexts([rows], { columns: lossColumns, format }));
    },
  },
  {
    name: "catchment",
    summary: "Which agent heard the answers to the probes of which",
    limitDefault: figureRowsDefault,
    limitMax: figureRowsMax,
    make: async (store, { filter, limit, format }) => {
      const rows = withShares(await Array.fromAsync(queryCatchment(store, filter, limit)));
      return whole(rowTexts([rows], { columns: catchmentColumns, format }));
    },
  },
];

async function makePaths(store: ColumnStore, { filter, limit, format }: FigureOrder): Promise<string> {
  const paths = (await Array.fromAsync(pathPages(store, filter, limit))).flat();
  return format === "csv"
    ? whole(rowTexts([paths.flatMap(routersOf)], { columns: routerColumns, format }))
    : whole(rowTexts([paths], { columns: pathColumns, format }));
}

async function whole(texts: AsyncIterable<string>): Promise<string> {
  return (await Array.fromAsync(texts)).join("");
}
