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
  for await (const { bytes, rows } of pages) {
    const head = isFirst && form === "csv" ? Buffer.from(`${csvLine(csvNames)}\n`) : nothing;
    if (form !== "json") {
      yield head.length === 0 ? bytes : Buffer.concat([head, bytes]);
    } else if (rows > 0) {
      yield arrayPart(bytes, isFirst);
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

/** Lines are taken as bytes: no byte of a longer character is a line end. */
function arrayPart(lines: Uint8Array, isFirst: boolean): Uint8Array {
  const text = Buffer.from(lines.buffer, lines.byteOffset, lines.length - 1).toString("latin1");
  return Buffer.from(`${isFirst ? "[" : ","}\n${text.replaceAll("\n", ",\n")}`, "latin1");
}
