/** The paths from each agent to each destination, hop by hop. */
import * as v from "valibot";
import { printed } from "../../../base/terminal/foreign-text.ts";
import { csvLine } from "../../../base/terminal/rows-output.ts";
import { drawnPath } from "../../../measuring/pictures/path/drawn-path.ts";
import { pathPicture, pathPictureSteps } from "../../../measuring/pictures/path/path-picture.ts";
import type { PicturedPath } from "../../../measuring/pictures/path/picture-path.ts";
import { type ContextField, contextFields } from "../../enrich/context-fields.ts";
import { jsonNotes } from "../../enrich/router-notes.ts";
import { fewRows } from "../few-rows.ts";
import { Parts } from "../in-parts.ts";
import { pathsDefault, pathsDestinationsMax, samplesMax } from "../limits.ts";
import { pathJson, pathSchema, routerNames, routerRows } from "../path-json.ts";
import { pathText } from "../path-text.ts";
import { pathsSql } from "../paths-query.ts";
import { pictureWriters } from "../picture-writers.ts";
import { measuredPath, type PathRow, pathRowSchema } from "../read-path.ts";
import { targetPages } from "../target-pages.ts";
import type { Page, PageForm, View } from "../view.ts";

/** A row may have 100,000 flows: others are served between what is done with it. */
async function* madePages(
  { bytes }: Page,
  form: PageForm,
  fields: readonly ContextField[],
): AsyncGenerator<Page, void, undefined> {
  const parts = new Parts();
  for (const rows of fewRows<PathRow>(bytes)) {
    const texts: Buffer[] = [];
    for (const row of rows) {
      await parts.next();
      const path = measuredPath(row);
      await parts.next();
      const made =
        form === "csv"
          ? routerRows(path, fields.length > 0).map(csvLine)
          : [pathJson(path, fields.length > 0)].map((json) => JSON.stringify(json));
      await parts.next();
      texts.push(...made.map((text) => Buffer.from(`${text}\n`)));
    }
    await parts.next();
    yield { bytes: Buffer.concat(texts), rows: rows.length };
  }
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
  contextFields,
  pages: targetPages({
    rows: (sources, form) => pathsSql(sources, form === "ndjson" ? samplesMax : 0),
    destinationsMax: pathsDestinationsMax,
    made: madePages,
    asLists: true,
  }),
  pen: (palette, fields) => ({
    draw: (lines) => {
      const drawn: Buffer[] = [];
      for (const rows of fewRows<PathRow>(lines)) {
        if (!rows.every(isPathRow)) {
          return null;
        }
        const texts = rows.map((row) => `${pathText(measuredPath(row), palette, knownOf(row, fields))}\n`);
        drawn.push(Buffer.from(printed(texts.join(""))));
      }
      return Buffer.concat(drawn);
    },
  }),
  picture: (rows) => pathPicture(rows as readonly PicturedPath[]),
  writers: pictureWriters<PicturedPath>((rows) => pathPictureSteps(rows), drawnPath),
};

function knownOf(
  { routers = {}, owners = {}, as_paths: asPaths = [] }: PathRow,
  fields: readonly ContextField[],
) {
  const known = Object.entries({ ...owners, ...routers }).map(([address]) => {
    return [address, { ...routers[address], owner_asn: owners[address] ?? null }] as const;
  });
  return { notes: jsonNotes(Object.fromEntries(known), fields), asPaths };
}

function isPathRow(row: unknown): boolean {
  return v.is(pathRowSchema, row);
}
