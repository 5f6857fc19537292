/** Shows results in one view, from either source: in pieces, in constant memory. */
import type { ContextField } from "../../../../lib/answers/enrich/context-fields.ts";
import { drawnPages, pictureOf } from "../../../../lib/answers/results/drawn-pages.ts";
import type { ResultSource } from "../../../../lib/answers/results/result-source.ts";
import type { View } from "../../../../lib/answers/results/view.ts";
import { type ViewName, viewAgainst } from "../../../../lib/answers/results/views.ts";
import type { Palette } from "../../../../lib/base/terminal/colour.ts";
import { lineEndsIn } from "../../../../lib/base/terminal/line-ends.ts";
import type { Format } from "../../../../lib/base/terminal/rows-output.ts";
import { safePieces } from "../../../../lib/base/terminal/safe-pieces.ts";
import { writePicture } from "../../../../lib/command/command/picture-file.ts";
import type { Unattributed } from "../../../../lib/engines/store/clickhouse/attributed-replies.ts";
import type { ReplyFilter } from "../../../../lib/engines/store/clickhouse/reply-filter.ts";
import { type ColumnForm, isBinaryForm, type ProgramForm } from "../../../../lib/measuring/formats/forms.ts";

export interface Show {
  readonly write: (bytes: Uint8Array) => void;
  readonly palette: Palette;
}

interface Ask {
  readonly view: ViewName;
  readonly filter: ReplyFilter;
  /** Measurement to compare links with; null = none. */
  readonly against?: ReplyFilter | null;
  readonly limit: number;
  readonly format: Format | ColumnForm | ProgramForm;
  /** File of a picture, in place of text; null = text. */
  readonly svg: string | null;
  /** Context of addresses. */
  readonly with?: readonly ContextField[];
}

export interface Shown {
  /** Number of rows or paths; in CSV of paths, routers; in a binary format, pieces. */
  readonly rows: number;
  /** Replies that are not in any view of the measurement. */
  readonly unattributed: Unattributed;
}

/** Rejects like the source. */
export async function showView(source: ResultSource, ask: Ask, show: Show): Promise<Shown> {
  const { format, svg, against = null, ...rest } = ask;
  const view = viewAgainst(ask.view, against !== null);
  const form = svg !== null ? "ndjson" : format === "table" ? "brief" : format;
  const isPassing = svg === null && format !== "table";
  const query = { ...rest, ...(against === null ? {} : { against }), isPassing };
  const answer = await source.ask(view, query, form);
  const texts = collected(answer.texts, view.hasColumns ? passedBytes : parsedBytes);
  const rows =
    svg !== null
      ? await drawPicture(view, texts, svg, show)
      : format === "table"
        ? await draw(view, ask, texts, show)
        : await writeAll(harmless(texts, source, format), format, show);
  return { rows, unattributed: await answer.unattributed() };
}

/** Throws CommandError when the file cannot be written. */
async function drawPicture(
  view: View,
  texts: AsyncIterable<Uint8Array>,
  file: string,
  { write }: Show,
): Promise<number> {
  const lines = Buffer.concat(await Array.fromAsync(texts));
  writePicture(pictureOf(view, lines), file, write);
  return lineEndsIn(lines);
}

/** Bytes of results between two garbage collections; fewer where rows become objects here. */
const [passedBytes, parsedBytes] = [32 << 20, 8 << 20];

/** The garbage collector does not account for the pieces: by itself it keeps some 60 MB of read ones. */
async function* collected(
  pieces: AsyncIterable<Uint8Array>,
  collectBytes: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  let bytes = 0;
  for await (const piece of pieces) {
    yield piece;
    bytes += piece.length;
    if (bytes >= collectBytes) {
      bytes = 0;
      Bun.gc(true);
    }
  }
}

/** Lines other than rows: an array's brackets, a CSV header. */
const otherLines: Readonly<Record<string, number>> = { json: 2, csv: 1 };

/** Binary formats must not be passed through the escaping of text. */
function harmless(
  texts: AsyncIterable<Uint8Array>,
  { areCellsHarmless }: ResultSource,
  format: Ask["format"],
): AsyncIterable<Uint8Array> {
  const isCsv = format === "csv";
  return isBinaryForm(format) || (isCsv && areCellsHarmless) ? texts : safePieces(texts, isCsv);
}

async function writeAll(
  pieces: AsyncIterable<Uint8Array>,
  format: Ask["format"],
  { write }: Show,
): Promise<number> {
  const isBinary = isBinaryForm(format);
  let lines = 0;
  for await (const piece of pieces) {
    write(piece);
    lines += isBinary ? 1 : lineEndsIn(piece);
  }
  return Math.max(0, lines - (otherLines[format] ?? 0));
}

async function draw(
  view: View,
  { with: fields = [] }: Pick<Ask, "with">,
  texts: AsyncIterable<Uint8Array>,
  { write, palette }: Show,
): Promise<number> {
  let shown = 0;
  for await (const { bytes, rows } of drawnPages(view, texts, { palette, fields })) {
    write(bytes);
    shown += rows;
  }
  return shown;
}
