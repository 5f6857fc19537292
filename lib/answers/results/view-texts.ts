/** A view's pages as one text: a JSON array, JSON lines, CSV with a header, or another program's format. */
import { oneStep, type Steps } from "../../base/list/steps.ts";
import { csvLine } from "../../base/terminal/rows-output.ts";
import { isColumnForm, isProgramForm, type ProgramWriter, partsJoin } from "../../measuring/formats/forms.ts";
import { inParts } from "./in-parts.ts";
import type { TextForm } from "./result-source.ts";
import type { Page, ViewText } from "./view.ts";

type TextView = Pick<ViewText, "name" | "csvNames" | "writers">;

/** A chunk for each page, and one for the end. */
export async function* viewTexts(
  view: TextView,
  pages: AsyncIterable<Page>,
  form: TextForm,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { add, end } = writerOf(view, form);
  for await (const page of pages) {
    const piece = add(page);
    if (piece.length > 0) {
      yield piece;
    }
  }
  const rest = await inParts(end());
  if (rest.length > 0) {
    yield rest;
  }
}

interface TextWriter {
  readonly add: (page: Page) => Uint8Array;
  readonly end: () => Steps<Uint8Array>;
}

const nothing = Buffer.alloc(0);

function writerOf({ name, csvNames, writers = {} }: TextView, form: TextForm): TextWriter {
  if (isProgramForm(form)) {
    const writer = writers[form];
    if (writer === undefined) {
      throw new TypeError(`Cannot write ${name} as ${form}`);
    }
    return exportOf(writer());
  }
  if (isColumnForm(form)) {
    const join = partsJoin(form);
    return { add: ({ bytes }) => join.add(bytes), end: () => oneStep(() => join.end()) };
  }
  switch (form) {
    case "json":
      return arrayWriter();
    case "csv": {
      let head = Buffer.from(`${csvLine(csvNames)}\n`);
      const withHead = (bytes: Uint8Array) => {
        const all = head.length === 0 ? bytes : Buffer.concat([head, bytes]);
        head = nothing;
        return all;
      };
      return { add: ({ bytes }) => withHead(bytes), end: () => oneStep(() => withHead(nothing)) };
    }
    default:
      return { add: ({ bytes }) => bytes, end: () => oneStep(() => nothing) };
  }
}

/** Rows are not checked against the view's schema, as they are from our own store. */
function exportOf(writer: ProgramWriter): TextWriter {
  const add = ({ bytes, rows }: Page) => {
    const lines = new TextDecoder().decode(bytes).split("\n", rows);
    return Buffer.concat(lines.map((line) => writer.row(JSON.parse(line) as object)));
  };
  return { add, end: writer.ending ?? (() => oneStep(() => writer.end())) };
}

/** Works on bytes: no byte of a multi-byte character is a line end, and strings would double the memory. */
function arrayWriter(): TextWriter {
  let isFirst = true;
  const add = ({ bytes, rows }: Page) => {
    const lines = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    const part = Buffer.allocUnsafe(lines.length + rows);
    let at = 0;
    for (let start = 0; start < lines.length; ) {
      const end = lines.indexOf(newline, start);
      at += part.write(isFirst ? "[\n" : ",\n", at, "latin1");
      at += lines.copy(part, at, start, end);
      [isFirst, start] = [false, end + 1];
    }
    return part;
  };
  return { add, end: () => oneStep(() => Buffer.from(isFirst ? "[]\n" : "\n]\n")) };
}

const newline = 10;
