/**
 * A view of results: its rows in JSON, its query to the store, and its drawing for people; the command line, both
 * engines of ResultSource and the gateway's API are derived from it.
 */
import type { GenericSchema } from "valibot";
import type { ColumnForm } from "../formats/forms.ts";
import type { Picture } from "../pictures/look.ts";
import type { ColumnStore } from "../store/clickhouse/open.ts";
import type { ReplyFilter } from "../store/clickhouse/reply-filter.ts";
import type { Palette } from "../terminal/colour.ts";
import type { Column } from "../terminal/rows-output.ts";

/** Lines of one JSON object each, all of it or what its drawing reads (brief), or rows of CSV without their head. */
export type LineForm = "ndjson" | "brief" | "csv";
/** A page in the form of columns is a file of its own, whose parts are joined. */
export type PageForm = LineForm | ColumnForm;

export interface ViewQuery {
  readonly filter: ReplyFilter;
  /** Rows, or paths; null = all. */
  readonly limit: number | null;
}

/** Runs one query; the owner of the store decides what happens when it is unreachable. */
export type AskStore = <Answer>(question: (store: ColumnStore) => Promise<Answer>) => Promise<Answer>;

/** Whole lines in UTF-8, with their ends; or a file of columns. */
export interface Page {
  readonly bytes: Uint8Array;
  /** Rows, or paths. */
  readonly rows: number;
}

/** The part of a view that produces text, independent of its row type. */
export interface ViewText {
  /** Name in `/api/measurements/{id}/` and `vantage replies --view`. */
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  /** Default number of rows; null = all. */
  readonly limitDefault: number | null;
  /** Columns in CSV. */
  readonly csvNames: readonly string[];
  /** False where rows are made here, of what the store gives: then there is no form of columns. */
  readonly hasColumns: boolean;
  /**
   * In the view's own order, each page a separate short query. In a form of columns there is at least one page, which
   * has their names. Rejects with Failure `store`.
   */
  readonly pages: (ask: AskStore, query: ViewQuery, form: PageForm) => AsyncGenerator<Page, void, undefined>;
}

export interface View<Row> extends ViewText {
  /** Schema of a row in JSON. */
  readonly schema: GenericSchema;
  readonly drawing: Drawing<Row>;
}

/** For people: a table, or a text for each row; then perhaps a summary line. */
interface Drawing<Row> {
  /** Whether this is a brief row: asked of each of millions. */
  readonly isRow: (value: unknown) => value is Row;
  readonly columns: readonly Column<Row>[];
  readonly text?: (row: Row, palette: Palette) => string;
  /** All rows as one picture. */
  readonly picture?: (rows: readonly Row[]) => Picture;
  readonly sum?: () => { readonly add: (row: Row) => void; readonly line: () => string };
}
