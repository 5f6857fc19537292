/** @jsxImportSource hono/jsx */
/** Tables of lists: a caption, heads with a scope, a link in a head that sorts by its column. */
import type { Child } from "hono/jsx";

export interface Column<Row> {
  readonly head: string;
  readonly cell: (row: Row) => Child;
  /** Figures are right-aligned, with tabular digits. */
  readonly isFigure?: boolean;
  /** A sentence: keeps a minimum width for some words, at any number of columns. */
  readonly isSentence?: boolean;
  /** The cell names its row; one column has it. */
  readonly isName?: boolean;
  /** Sort key; absent: not sortable. */
  readonly sort?: { readonly href: string; readonly order: "ascending" | "descending" | "none" };
}

interface TableProps<Row> {
  /** Its content, for screen readers. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** Instead of a table without rows. */
  readonly none: Child;
  /** See page.ts; makes the table live. */
  readonly id?: string;
}

export function Table<Row>({ caption, columns, rows, none, id }: TableProps<Row>) {
  if (rows.length === 0) {
    return (
      <div class="none" id={id}>
        {none}
      </div>
    );
  }
  return (
    // A region that scrolls must be reached by keys, and so have a name.
    <section class="scroll" id={id} aria-label={caption} tabindex={0}>
      <table>
        <caption class="unseen">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <Head column={column} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr>
              {columns.map((column) => (
                <Cell column={column} row={row} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Head<Row>({ column }: { readonly column: Column<Row> }) {
  const { head, sort, isFigure } = column;
  const kind = isFigure === true ? "figure" : undefined;
  if (sort === undefined) {
    return (
      <th scope="col" class={kind}>
        {head}
      </th>
    );
  }
  return (
    <th scope="col" class={kind} aria-sort={sort.order}>
      <a href={sort.href}>{head}</a>
      <span aria-hidden="true">
        {sort.order === "ascending" ? " ▲" : sort.order === "descending" ? " ▼" : ""}
      </span>
    </th>
  );
}

function Cell<Row>({ column, row }: { readonly column: Column<Row>; readonly row: Row }) {
  const { cell, isFigure, isName, isSentence } = column;
  const kind = isFigure === true ? "figure" : isSentence === true ? "sentence" : undefined;
  return isName === true ? <th scope="row">{cell(row)}</th> : <td class={kind}>{cell(row)}</td>;
}
