/** Pages of a view as one text: a JSON array, JSON lines, or CSV with its head. */
import { csvLine } from "../terminal/rows-output.ts";
import type { TextForm } from "./result-source.ts";
import type { Page, ViewText } from "./view.ts";

/** A piece for each page, and one for the end. */
export async function* viewTexts(
  { csvNames }: Pick<ViewText, "csvNames">,
  pages: AsyncIterable<Page>,
  form: TextForm,
): AsyncGenerator<Uint8Array, void, undefined> {
  let isFirst = true;
  for await (const page of pages) {
    const { bytes, rows } = page;
    const head = isFirst && form === "csv" ? Buffer.from(`${csvLine(csvNames)}\n`) : nothing;
    if (form !== "json") {
      yield head.length === 0 ? bytes : Buffer.concat([head, bytes]);
    } else if (rows > 0) {
      yield arrayPart(page, isFirst);
    }
    isFirst &&= form === "json" && rows === 0;
  }
  if (form === "json") {
    yield Buffer.from(isFirst ? "[]\n" : "\n]\n");
  } else if (isFirst && form === "csv") {
    yield Buffer.from(`${csvLine(csvNames)}\n`);
  }
}

const nothing = Buffer.alloc(0);

/** Lines are taken as bytes: no byte of a longer character is a line end, and texts would take memory twice. */
function arrayPart({ bytes, rows }: Page, isFirst: boolean): Uint8Array {
  const lines = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const part = Buffer.allocUnsafe(lines.length + rows);
  let at = 0;
  for (let start = 0; start < lines.length; ) {
    const end = lines.indexOf(newline, start);
    at += part.write(at === 0 && isFirst ? "[\n" : ",\n", at, "latin1");
    at += lines.copy(part, at, start, end);
    start = end + 1;
  }
  return part;
}

const newline = 10;
