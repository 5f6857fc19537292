/** Tables of experiments, and the arguments that name their journals. */
import { folder } from "../../../lib/command/kinds.ts";
import { paletteFor } from "../../../lib/terminal/colour.ts";
import { printLine } from "../../../lib/terminal/output.ts";
import { type Column, type Format, RowsOutput } from "../../../lib/terminal/rows-output.ts";

export const journalArgument = {
  kind: folder,
  placeholder: "JOURNAL",
  required: true,
  meaning: "the folder of its journal, as prepend.yaml.journal",
} as const;

export function printed<Row>(columns: readonly Column<Row>[], rows: Iterable<Row>, format: Format): void {
  const { dim } = paletteFor(process.stdout.isTTY === true, process.env.NO_COLOR);
  const output = new RowsOutput<Row>({ columns, format, print: printLine, dim });
  for (const row of rows) {
    output.add(row);
  }
  output.finish();
}
