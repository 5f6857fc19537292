/** The paths from each agent to each destination, hop by hop. */
import { rowsOf } from "../../store/clickhouse/rows.ts";
import { targetWindows } from "../../store/clickhouse/target-windows.ts";
import { csvLine } from "../../terminal/rows-output.ts";
import { pathsDefault } from "../limits.ts";
import type { MeasuredPath } from "../measured-path.ts";
import { type PathJson, pathJson, pathOfJson, pathSchema, routerNames, routerRows } from "../path-json.ts";
import { pathText } from "../path-text.ts";
import { type PathRow, pathsQuery } from "../paths-query.ts";
import { measuredPath } from "../read-path.ts";
import type { AskStore, LineForm, Page, View, ViewQuery } from "../view.ts";

const utf8 = new TextEncoder();

async function* pages(
  ask: AskStore,
  { filter, limit }: ViewQuery,
  form: LineForm,
): AsyncGenerator<Page, void, undefined> {
  let left = limit ?? Number.POSITIVE_INFINITY;
  for await (const window of targetWindows(ask, filter, limit)) {
    const query = pathsQuery(filter, window);
    const rows = await ask((store) => Array.fromAsync(rowsOf<PathRow>(store, query)));
    const paths = rows.slice(0, left).map(measuredPath);
    const lines = paths.flatMap(form === "csv" ? csvLines : (path) => JSON.stringify(pathJson(path)));
    yield { bytes: utf8.encode(lines.map((line) => `${line}\n`).join("")), rows: paths.length };
    left -= paths.length;
    if (left <= 0) {
      return;
    }
  }
}

function csvLines(path: MeasuredPath): string[] {
  return routerRows(path).map(csvLine);
}

export const pathsView: View<PathJson> = {
  name: "paths",
  summary: "The paths from each agent to each destination, hop by hop",
  description: [
    "By destination, agent and protocol; as CSV a row for each router of each hop. Quantiles are exact, between the",
    "two nearest values; jitter is the mean step between consecutive answers of one router to one flow and TTL; of",
    "more than 100 round-trip times rtt_samples_ms has 100 that were drawn by lot.",
  ].join(" "),
  limitDefault: pathsDefault,
  schema: pathSchema,
  csvNames: routerNames,
  pages,
  drawing: {
    columns: [],
    text: (row, palette) => pathText(pathOfJson(row), palette),
  },
};
