/** Tables of experiments. */
import { paletteFor } from "../../../../lib/base/terminal/colour.ts";
import { printLine } from "../../../../lib/base/terminal/output.ts";
import { type Column, type Format, RowsOutput } from "../../../../lib/base/terminal/rows-output.ts";

export function printed<Row>(columns: readonly Column<Row>[], rows: Iterable<Row>, format: Format): void {
  const { dim } = paletteFor(process.stdout.isTTY === true, process.env.NO_COLOR);
  const output = new RowsOutput<Row>({ columns, format, print: printLine, dim });
  for (const row of rows) {
    output.add(row);
  }
  output.finish();
}
