/** The paths from each agent to each destination, hop by hop. */
import { pathPicture } from "../../pictures/path/path-picture.ts";
import { csvLine } from "../../terminal/rows-output.ts";
import { pathsAtOnce, pathsDefault, pathsDestinationsMax, samplesMax } from "../limits.ts";
import type { MeasuredPath } from "../measured-path.ts";
import { type PathJson, pathJson, pathOfJson, pathSchema, routerNames, routerRows } from "../path-json.ts";
import { pathText } from "../path-text.ts";
import { type PathRow, pathsQuery } from "../paths-query.ts";
import { measuredPath } from "../read-path.ts";
import { matches } from "../sql-columns.ts";
import { targetPages } from "../target-pages.ts";
import type { Page, PageForm, View } from "../view.ts";

const utf8 = new TextEncoder();

/** A few paths at a time: as objects they take many times their text. */
function* madePages({ bytes, rows }: Page, form: PageForm): Generator<Page, void, undefined> {
  const lines = new TextDecoder().decode(bytes).split("\n", rows);
  for (let i = 0; i < rows; i += pathsAtOnce) {
    const paths = lines.slice(i, i + pathsAtOnce).map((line) => measuredPath(JSON.parse(line) as PathRow));
    const texts = paths.flatMap(form === "csv" ? csvLines : (path) => JSON.stringify(pathJson(path)));
    yield { bytes: utf8.encode(texts.map((text) => `${text}\n`).join("")), rows: paths.length };
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
  hasColumns: false,
  pages: targetPages({
    rows: (filter, window, form) => pathsQuery(filter, window, form === "ndjson" ? samplesMax : 0),
    destinationsMax: pathsDestinationsMax,
    made: madePages,
  }),
  drawing: {
    isRow: matches(pathSchema),
    columns: [],
    text: (row, palette) => pathText(pathOfJson(row), palette),
    picture: (paths) => pathPicture(paths),
  },
};
