/** Pages of a view as one text: a JSON array, JSON lines, or CSV with its head. */
import {
  type ColumnForm,
  isColumnForm,
  isProgramForm,
  type ProgramWriter,
  partsJoin,
} from "../formats/forms.ts";
import { csvLine } from "../terminal/rows-output.ts";
import type { TextForm } from "./result-source.ts";
import type { Page, ViewText } from "./view.ts";

/** A piece for each page, and one for the end. */
export async function* viewTexts(
  { name, csvNames, writers = {} }: Pick<ViewText, "name" | "csvNames" | "writers">,
  pages: AsyncIterable<Page>,
  form: TextForm,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (isProgramForm(form)) {
    const writer = writers[form];
    if (writer === undefined) {
      throw new TypeError(`Cannot write ${name} as ${form}`);
    }
    yield* exported(pages, writer());
    return;
  }
  if (isColumnForm(form)) {
    yield* joined(pages, form);
    return;
  }
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

/** Rows as the schema of the view has them: they come from a store of ours. */
async function* exported(
  pages: AsyncIterable<Page>,
  writer: ProgramWriter,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const { bytes, rows } of pages) {
    const lines = new TextDecoder().decode(bytes).split("\n", rows);
    yield Buffer.concat(lines.map((line) => writer.row(JSON.parse(line) as object)));
  }
  const end = writer.end();
  if (end.length > 0) {
    yield end;
  }
}

async function* joined(
  pages: AsyncIterable<Page>,
  form: ColumnForm,
): AsyncGenerator<Uint8Array, void, undefined> {
  const join = partsJoin(form);
  for await (const { bytes } of pages) {
    yield join.add(bytes);
  }
  yield join.end();
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
