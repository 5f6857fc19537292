/** @jsxImportSource hono/jsx */
/** How many of a list's rows a page shows, and the way to the others. */
import { grouped } from "../../../lib/base/terminal/figures.ts";
import type { AnswerPage } from "../api-client.ts";
import type { Visit } from "../page.ts";
import { rowsMax } from "./api-rows.tsx";
import { addressWith, rowOf } from "./links.tsx";
import { type Column, Table } from "./table.tsx";

interface ShownOfProps {
  readonly shown: number;
  readonly all: number;
  /** Number of the first row shown. */
  readonly first?: number;
  /** `all` is where counting stopped. */
  readonly isMore?: boolean;
}

/** `20 of 312`, `21 to 40 of 312`; nothing for an empty list. */
export function ShownOf({ shown, all, first = 1, isMore = false }: ShownOfProps) {
  const rows = first === 1 ? grouped(shown) : `${grouped(first)} to ${grouped(first - 1 + shown)}`;
  const text = `${rows} of ${isMore ? "more than " : ""}${grouped(all)}`;
  return shown === 0 ? null : <span class="soft">{text}</span>;
}

interface PagingProps {
  readonly visit: Visit;
  readonly page: AnswerPage<readonly unknown[]>;
  /** The API's parameter for the start of a page. */
  readonly parameter: "after" | "cursor";
  /** Prefix of the parameters of this list, on a page with several. */
  readonly list?: string;
}

export function Paging({ visit, page: { value, next, total }, parameter, list = "" }: PagingProps) {
  const after = next === null ? null : new URL(next, visit.url).searchParams.get(parameter);
  const isFirst = !visit.query.has(`${list}${parameter}`);
  const first = isFirst ? 1 : rowOf(visit, list);
  const to = (place: string | null, row: number) =>
    addressWith(visit, {
      [`${list}${parameter}`]: place,
      [`${list}row`]: place === null ? null : String(row),
    });
  return (
    <Links
      list={list}
      count={total === null ? null : ShownOf({ first, shown: value.length, ...counted(total) })}
      back={isFirst ? null : to(null, 1)}
      next={after === null ? null : to(after, first + value.length)}
    />
  );
}

/** The API counts up to 10,000, and one more. */
const countedMax = 10_000;

export function counted(total: number) {
  return { all: Math.min(total, countedMax), isMore: total > countedMax };
}

interface LinksProps {
  /** Of several lists of a page. */
  readonly list?: string;
  readonly count: ReturnType<typeof ShownOf>;
  /** Addresses; null = there is no such page. */
  readonly back: string | null;
  readonly next: string | null;
}

function Links({ list = "", count, back, next }: LinksProps) {
  if (back === null && next === null) {
    return count === null ? null : <p>{count}</p>;
  }
  return (
    <nav class="row" aria-label={`Rows ${list.replace("-", "")}`.trim()}>
      {count}
      {back === null ? null : <a href={back}>First page</a>}
      {next === null ? null : (
        <a href={next} rel="next">
          Next page
        </a>
      )}
    </nav>
  );
}

interface RowsNavProps extends Required<Pick<ShownOfProps, "first" | "shown" | "all" | "isMore">> {
  readonly visit: Visit;
  readonly hasNext: boolean;
}

/** Below rows whose number is in the page's address. */
export function RowsNav({ visit, hasNext, ...rows }: RowsNavProps) {
  const { first, shown } = rows;
  return (
    <Links
      count={ShownOf(rows)}
      back={first === 1 ? null : addressWith(visit, {})}
      next={hasNext ? addressWith(visit, { row: String(first + shown) }) : null}
    />
  );
}

interface PagedTableProps<Row> {
  readonly visit: Visit;
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  /** All of them, or all up to the API's limit. */
  readonly rows: readonly Row[];
  /** The last row only proves that there are more than those before it. */
  readonly isCut?: boolean;
  readonly none: string;
}

/** A table of rows that are all known, a page at a time. */
export function PagedTable<Row>({ visit, rows, isCut = false, ...table }: PagedTableProps<Row>) {
  const first = Math.min(rowOf(visit), Math.max(1, rows.length));
  const shown = rows.slice(first - 1, first - 1 + rowsMax);
  const all = rows.length - Number(isCut);
  return (
    <>
      <Table {...table} rows={shown} isGrid />
      <RowsNav
        visit={visit}
        {...{ first, shown: shown.length, all, isMore: isCut }}
        hasNext={first + shown.length <= rows.length}
      />
    </>
  );
}
