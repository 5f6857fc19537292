/** The columns of a view whose rows the store itself writes, ready to be sent. */
import * as v from "valibot";
import type { ColumnStore } from "../store/clickhouse/open.ts";
import { type RowQuery, textOf } from "../store/clickhouse/rows.ts";
import type { Column } from "../terminal/rows-output.ts";
import { safeCsv } from "../terminal/safe-pieces.ts";
import type { ValueForm } from "./value-forms.ts";
import type { LineForm, Page } from "./view.ts";

export interface SqlColumn {
  /** In JSON and CSV. */
  readonly name: string;
  /** An expression of what the query's FROM gives. */
  readonly from: string;
  readonly form: ValueForm;
  readonly meaning?: string;
}

export function selectOf(columns: readonly SqlColumn[], lineForm: LineForm): string {
  return columns
    .map(
      ({ name, from, form }) =>
        `${(lineForm === "csv" ? form.csv : undefined)?.(from) ?? form.sql(from)} AS ${name}`,
    )
    .join(", ");
}

export function namesOf(columns: readonly SqlColumn[]): string[] {
  return columns.map(({ name }) => name);
}

/** Of a row in JSON; a test holds `Row` to it. */
export function schemaOf<Row>(columns: readonly SqlColumn[]): v.GenericSchema<Row> {
  const entries = columns.map(({ name, form, meaning }) => {
    const schema = meaning === undefined ? form.schema : v.pipe(form.schema, v.description(meaning));
    return [name, form.isOptional === true ? v.optional(schema) : schema];
  });
  return v.object(
    Object.fromEntries(entries) as Record<string, v.GenericSchema>,
  ) as unknown as v.GenericSchema<Row>;
}

/** Of rows that are at hand as objects. */
export function rowColumns<Row>(columns: readonly SqlColumn[]): readonly Column<Row>[] {
  return columns.map(({ name, form }) => {
    const value = (row: Row) => (row as Readonly<Record<string, unknown>>)[name];
    const { cell } = form;
    return {
      name,
      head: null,
      value,
      ...(cell === undefined ? {} : { text: (row: Row) => cell(value(row)) }),
    };
  });
}

const newline = 10;

/** The rows of a query without a FORMAT, as lines. Rejects with StoreError. */
export async function linesOf(store: ColumnStore, query: RowQuery, form: LineForm): Promise<Page> {
  const isCsv = form === "csv";
  const text = await textOf(store, query, isCsv ? "CSV" : "JSONEachRow");
  const bytes = isCsv ? safeCsv(text) : text;
  let rows = 0;
  for (let at = bytes.indexOf(newline); at >= 0; at = bytes.indexOf(newline, at + 1)) {
    rows++;
  }
  return { bytes, rows };
}
