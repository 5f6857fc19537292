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
  /** Whether a row has a value; the column is left out where no row does. */
  readonly has?: (row: Row) => boolean;
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
  /** Figures to compare by column: on a phone it scrolls, where other tables become a block per row. */
  readonly isGrid?: boolean;
}

export function Table<Row>({ caption, columns: all, rows, none, id, isGrid = false }: TableProps<Row>) {
  const columns = all.filter(({ has }) => has === undefined || rows.some(has));
  if (rows.length === 0) {
    return (
      <div class="none" id={id}>
        {none}
      </div>
    );
  }
  return (
    // A region that scrolls must be reached by keys, and so have a name.
    <section class={isGrid ? "scroll" : "scroll stack"} id={id} aria-label={caption} tabindex={0}>
      <table role={isGrid ? undefined : "table"}>
        <caption class="unseen">{caption}</caption>
        <thead role={isGrid ? undefined : "rowgroup"}>
          <tr role={isGrid ? undefined : "row"}>
            {columns.map((column) => (
              <Head column={column} isGrid={isGrid} />
            ))}
          </tr>
        </thead>
        <tbody role={isGrid ? undefined : "rowgroup"}>
          {rows.map((row) => (
            <tr role={isGrid ? undefined : "row"}>
              {columns.map((column) => (
                <Cell column={column} row={row} isGrid={isGrid} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface PartProps<Row> {
  readonly column: Column<Row>;
  readonly isGrid: boolean;
}

// Roles are explicit in tables that become blocks: browsers drop those of a table that is not laid out as one.
function Head<Row>({ column, isGrid }: PartProps<Row>) {
  const { head, sort, isFigure } = column;
  const kind = isFigure === true ? "figure" : undefined;
  const role = isGrid ? undefined : "columnheader";
  if (sort === undefined) {
    return (
      <th scope="col" role={role} class={kind}>
        {head.replaceAll(" %", "\u00a0%")}
      </th>
    );
  }
  return (
    <th scope="col" role={role} class={kind} aria-sort={sort.order}>
      <a href={sort.href}>{head}</a>
      <span aria-hidden="true">
        {sort.order === "ascending" ? " ▲" : sort.order === "descending" ? " ▼" : ""}
      </span>
    </th>
  );
}

function Cell<Row>({ column, isGrid, row }: PartProps<Row> & { readonly row: Row }) {
  const { head, cell, isFigure, isName, isSentence } = column;
  const kind = isFigure === true ? "figure" : isSentence === true ? "sentence" : undefined;
  if (isName === true) {
    return (
      <th scope="row" role={isGrid ? undefined : "rowheader"}>
        {cell(row)}
      </th>
    );
  }
  return (
    <td class={kind} role={isGrid ? undefined : "cell"} data-head={isGrid ? undefined : head}>
      {cell(row)}
    </td>
  );
}
