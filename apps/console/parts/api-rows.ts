/** Rows of the API: shown members, heads and order. */
import * as v from "valibot";
import { visible } from "../../../lib/base/terminal/foreign-text.ts";
import type { Column } from "./table.tsx";

export type ApiRow = Readonly<Record<string, unknown>>;

/** The API has checked them; optional members, such as context, are kept. */
export const rowsAnswer = v.array(v.looseObject({}));

/** What fits on a page. */
export const rowsMax = 200;

const figureNames = new RegExp(
  [
    "_(ms|percent|count|port|ttl|ttl_max|instance)$",
    "^(ttl|agents|answers|links|probes|submitted|answered|lost|duplicates|replies|destinations|responders)$",
    "^(run|paths|path_changes|flows|flows_before)$",
  ].join("|"),
);

const sentenceNames = /^next_hops$/;

/** `heads`: by member name. */
export function columnsOf(heads: Readonly<Record<string, string>>): Column<ApiRow>[] {
  return Object.entries(heads).map(([name, head], i) => ({
    ...{ head, isName: i === 0, isFigure: figureNames.test(name), isSentence: sentenceNames.test(name) },
    cell: (row) => visible(String(row[name] ?? "–")) || "–",
  }));
}
