/** The paths from each agent to each destination, hop by hop. */
import * as v from "valibot";
import { pathPicture } from "../../pictures/path/path-picture.ts";
import { printed } from "../../terminal/foreign-text.ts";
import { csvLine } from "../../terminal/rows-output.ts";
import { pathsAtOnce, pathsDefault, pathsDestinationsMax, samplesMax } from "../limits.ts";
import type { MeasuredPath } from "../measured-path.ts";
import { pathJson, pathSchema, routerNames, routerRows } from "../path-json.ts";
import { pathText } from "../path-text.ts";
import { pathsQuery } from "../paths-query.ts";
import { measuredPath, type PathRow, pathRowSchema } from "../read-path.ts";
import { targetPages } from "../target-pages.ts";
import type { Page, PageForm, View } from "../view.ts";

/** A few paths at a time: as objects they take many times their text. */
function* pathsOf(lines: Uint8Array): Generator<PathRow[], void, undefined> {
  const rows = new TextDecoder().decode(lines).split("\n").slice(0, -1);
  for (let i = 0; i < rows.length; i += pathsAtOnce) {
    yield rows.slice(i, i + pathsAtOnce).map((line) => JSON.parse(line) as PathRow);
  }
}

function* madePages({ bytes }: Page, form: PageForm): Generator<Page, void, undefined> {
  for (const rows of pathsOf(bytes)) {
    const paths = rows.map(measuredPath);
    const texts = paths.flatMap(form === "csv" ? csvLines : (path) => JSON.stringify(pathJson(path)));
    yield { bytes: Buffer.from(texts.map((text) => `${text}\n`).join("")), rows: paths.length };
  }
}

function csvLines(path: MeasuredPath): string[] {
  return routerRows(path).map(csvLine);
}

export const pathsView: View = {
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
  pen: (palette) => ({
    draw: (lines) => {
      const drawn: Buffer[] = [];
      for (const rows of pathsOf(lines)) {
        if (!rows.every(isPathRow)) {
          return null;
        }
        const texts = rows.map((row) => `${pathText(measuredPath(row), palette)}\n`);
        drawn.push(Buffer.from(printed(texts.join(""))));
      }
      return Buffer.concat(drawn);
    },
  }),
  picture: (lines) => {
    const rows = [...pathsOf(lines)].flat();
    return rows.every(isPathRow) ? pathPicture(rows.map((row) => pathJson(measuredPath(row)))) : null;
  },
};

function isPathRow(row: unknown): boolean {
  return v.is(pathRowSchema, row);
}
