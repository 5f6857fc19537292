/** A command's rows, printed once, on standard output. */
import { paletteFor } from "./colour.ts";
import { printLine } from "./output.ts";
import { type Column, type Format, RowsOutput } from "./rows-output.ts";

/** Returns the number of rows. */
export function printRows<Row>(columns: readonly Column<Row>[], rows: Iterable<Row>, format: Format): number {
  const { dim } = paletteFor(process.stdout.isTTY === true, process.env.NO_COLOR);
  const output = new RowsOutput({ columns, format, print: printLine, dim });
  for (const row of rows) {
    output.add(row);
  }
  output.finish();
  return output.rows;
}
