/** Pages of rows as pieces of JSON, NDJSON or CSV. */
import { type Column, RowsOutput } from "../../../lib/terminal/rows-output.ts";
import type { RowFormat } from "./read-query.ts";

export interface RowForm<Row> {
  readonly columns: readonly Column<Row>[];
  readonly format: RowFormat;
}

/** One piece for each page, and one for the end. */
export async function* rowTexts<Row>(
  pages: AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>,
  { columns, format }: RowForm<Row>,
): AsyncGenerator<string, void, undefined> {
  let lines: string[] = [];
  const output = new RowsOutput({ columns, format, print: (line) => lines.push(line), dim: (text) => text });
  const taken = () => {
    const text = lines.map((line) => `${line}\n`).join("");
    lines = [];
    return text;
  };
  for await (const page of pages) {
    for (const row of page) {
      output.add(row);
    }
    yield taken();
  }
  output.finish();
  yield taken();
}
