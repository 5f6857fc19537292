/** One record: lines of name and value for people, or the forms of rows-output.ts for programs. */
import { jsonText, visibleCell } from "./foreign-text.ts";
import { type Column, type Format, RowsOutput } from "./rows-output.ts";
import { columnsOf, padded } from "./text.ts";

interface RecordOrder<Row> {
  /** A field with a null head is not shown to people. */
  readonly columns: readonly Column<Row>[];
  readonly format: Format;
  readonly print: (text: string) => void;
  /** Style of the names. */
  readonly dim: (text: string) => string;
}

export function printRecord<Row>(row: Row, { columns, format, print, dim }: RecordOrder<Row>): void {
  switch (format) {
    case "table": {
      const shown = columns.filter(({ head }) => head !== null);
      const width = Math.max(...shown.map(({ head }) => columnsOf(head ?? "")));
      const lines = shown.map((column) =>
        `${dim(padded(column.head ?? "", width))}  ${textOf(column, row)}`.trimEnd(),
      );
      print(lines.join("\n"));
      return;
    }
    case "json":
      print(jsonText(Object.fromEntries(columns.map(({ name, value }) => [name, value(row)])), 2));
      return;
    default: {
      const output = new RowsOutput({ columns, format, print, dim });
      output.add(row);
      output.finish();
    }
  }
}

function textOf<Row>({ cell, text, value }: Column<Row>, row: Row): string {
  const own = cell ?? text;
  return visibleCell(own === undefined ? String(value(row) ?? "") : own(row));
}
