/** The columns of a view whose rows the store itself writes, ready to be sent. */
import * as v from "valibot";
import { CellTable } from "../../base/terminal/cell-table.ts";
import { lineEndsIn } from "../../base/terminal/line-ends.ts";
import type { Column } from "../../base/terminal/rows-output.ts";
import { safeCsv } from "../../base/terminal/safe-pieces.ts";
import { columnsOf } from "../../engines/store/clickhouse/columns-of.ts";
import type { ColumnStore } from "../../engines/store/clickhouse/open.ts";
import { repliesFrom } from "../../engines/store/clickhouse/reply-source.ts";
import { type LinesFormat, linesOf, type RowQuery } from "../../engines/store/clickhouse/rows.ts";
import { arrowRows } from "../../measuring/formats/arrow-join.ts";
import { type ColumnForm, isColumnForm } from "../../measuring/formats/forms.ts";
import { parquetRows } from "../../measuring/formats/parquet-join.ts";
import { contextDrawn } from "../enrich/context-fields.ts";
import type { ValueForm } from "./value-forms.ts";
import type { LineForm, Page, PageForm, View } from "./view.ts";

export interface SqlColumn {
  /** In JSON and CSV. */
  readonly name: string;
  /** An SQL expression over the query's FROM. */
  readonly from: string;
  readonly form: ValueForm;
  readonly meaning?: string;
  /** Heading in a table; absent = the name in words. */
  readonly head?: string;
}

export function column(
  name: string,
  from: string,
  form: ValueForm,
  more: Pick<SqlColumn, "meaning" | "head"> = {},
): SqlColumn {
  return { name, from, form, ...more };
}

export function selectOf(columns: readonly SqlColumn[], pageForm: PageForm): string {
  const own = isColumnForm(pageForm)
    ? "column"
    : ({ ndjson: "sql", csv: "csv", brief: "cell" } as const)[pageForm];
  return columns.map(({ name, from, form }) => `${(form[own] ?? form.sql)(from)} AS ${name}`).join(", ");
}

/** Members of a row in JSON, with their schemas. */
export function entriesOf(columns: readonly SqlColumn[]): Record<string, v.GenericSchema> {
  const entries = columns.map(({ name, form, meaning }) => {
    const schema = meaning === undefined ? form.schema : v.pipe(form.schema, v.description(meaning));
    return [name, form.isOptional === true ? v.optional(schema) : schema];
  });
  return Object.fromEntries(entries) as Record<string, v.GenericSchema>;
}

/**
 * The parts of a view that follow from its columns, if the store writes the rows; `shown` are those of a table.
 */
export function viewOfColumns(columns: readonly SqlColumn[], shown = columns) {
  return {
    schema: v.object(entriesOf(columns)),
    csvNames: columns.map(({ name }) => name),
    ...{ hasColumns: true, contextFields: [] },
    pen: tableOf(shown),
  };
}

/**
 * Percent to two decimals, halves rounded up; ClickHouse's `round` rounds halves to even: 29 of 32 as 90.62.
 */
export function percentSql(part: string, whole: string): string {
  return `floor(10000 * ${part} / ${whole} + 0.5) / 100`;
}

/** A table of brief rows. */
function tableOf(columns: readonly SqlColumn[]): View["pen"] {
  const drawn = columns.map((column) => ({ ...headOf(column), ...column.form.drawn }));
  return ({ dim }, fields) => {
    const more = contextDrawn(fields).map(({ head }) => ({ head, align: "left" as const }));
    const table = new CellTable([...drawn, ...more], dim);
    return { draw: (lines) => table.draw(lines) };
  };
}

/** Columns for rows that are already objects. */
export function rowColumns<Row>(columns: readonly SqlColumn[]): readonly Column<Row>[] {
  return columns.map((column) => {
    const { name, form } = column;
    const value = (row: Row) => (row as Readonly<Record<string, unknown>>)[name];
    const { text } = form;
    return {
      ...{ ...headOf(column), name, value },
      ...(text === undefined ? {} : { text: (row: Row) => text(value(row), row) }),
    };
  });
}

function headOf({ name, head = name.replace("probe_", "").replaceAll("_", " "), form }: SqlColumn) {
  return { head, align: form.isNumber === true ? "right" : "left" } as const;
}

const formats: Readonly<Record<LineForm, LinesFormat>> = {
  ...{ ndjson: "JSONEachRow", csv: "CSV", brief: "TabSeparated" },
};

/**
 * The rows of a query without a FORMAT, as the store writes them. Rejects with Failure `store`, and so do the pages.
 */
export async function openPages(
  store: ColumnStore,
  query: RowQuery,
  form: LineForm,
): Promise<AsyncGenerator<Page, void, undefined>> {
  return pagesOf(await linesOf(store, query, formats[form]), form === "csv" ? safeCsv : (lines) => lines);
}

/** All rows of a query with few rows. Rejects with Failure `store`. */
export async function wholePage(store: ColumnStore, query: RowQuery, form: PageForm): Promise<Page> {
  if (isColumnForm(form)) {
    return await columnPage(store, query, form);
  }
  const pages = await Array.fromAsync(await openPages(store, query, form));
  return {
    bytes: Buffer.concat(pages.map(({ bytes }) => bytes)),
    rows: pages.reduce((sum, { rows }) => sum + rows, 0),
  };
}

/** Pages of a view whose few rows are grouped from replies; `order`: of the columns of `found`. */
export function foundPages(
  columns: readonly SqlColumn[],
  found: (replies: string) => string,
  order: string,
): View["pages"] {
  return async function* pages(ask, { filter, limit }, form) {
    const { sql: replies, params } = repliesFrom(filter);
    const sql = `SELECT ${selectOf(columns, form)} FROM (${found(replies)}) AS found
      ORDER BY ${order} ${limit === null ? "" : `LIMIT ${limit}`}`;
    yield await ask((store) => wholePage(store, { sql, params }, form));
  };
}

async function columnPage(store: ColumnStore, query: RowQuery, form: ColumnForm): Promise<Page> {
  const isParquet = form === "parquet";
  const bytes = await columnsOf(store, query, isParquet ? "Parquet" : "ArrowStream");
  return { bytes, rows: isParquet ? parquetRows(bytes) : arrowRows(bytes) };
}

async function* pagesOf(
  pieces: AsyncIterable<Uint8Array>,
  safe: (lines: Uint8Array) => Uint8Array,
): AsyncGenerator<Page, void, undefined> {
  for await (const piece of pieces) {
    yield { bytes: safe(piece), rows: lineEndsIn(piece) };
  }
}
