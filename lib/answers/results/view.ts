/**
 * A view of results: its rows in JSON, its query to the store, and its drawing for people; the command line, both
 * engines of ResultSource and the gateway's API are derived from it.
 */
import type { GenericSchema } from "valibot";
import type { Palette } from "../../base/terminal/colour.ts";
import type { ColumnStore } from "../../engines/store/clickhouse/open.ts";
import type { ReplyFilter } from "../../engines/store/clickhouse/reply-filter.ts";
import type { ColumnForm, ProgramWriters } from "../../measuring/formats/forms.ts";
import type { Picture } from "../../measuring/pictures/look.ts";
import type { AddressContext } from "../enrich/address-context.ts";
import type { ContextField } from "../enrich/context-fields.ts";

/**
 * Lines of one JSON object each, rows of CSV without their head, or the pen's input: cells between tabs, for example.
 */
export type LineForm = "ndjson" | "brief" | "csv";
/** A columnar page is a file of its own, whose parts are joined. */
export type PageForm = LineForm | ColumnForm;

export interface ViewQuery {
  readonly filter: ReplyFilter;
  /** The replies that links are compared with. */
  readonly against?: ReplyFilter;
  /** Rows, or paths; null = all. */
  readonly limit: number | null;
  /** Context to show with addresses; absent = none. */
  readonly with?: readonly ContextField[];
  /** Their context, if the store writes it: in columnar formats. */
  readonly addressContext?: AddressContext;
  /** The reader has finished with a chunk when it requests the next one, so memory may be reused. */
  readonly isPassing?: boolean;
}

/** Opens the context of addresses. Throws an error with the reason when it cannot. */
export type AddressContextFor = (fields: readonly ContextField[]) => AddressContext;

/** Runs one query; the store's owner decides what happens when it is unreachable. */
export type AskStore = <Answer>(question: (store: ColumnStore) => Promise<Answer>) => Promise<Answer>;

/** Whole lines in UTF-8, with their ends; or a columnar file. */
export interface Page {
  readonly bytes: Uint8Array;
  /** Rows, or paths. */
  readonly rows: number;
}

/** Where a row has an address; its first value is the time. */
export interface RowAddress {
  /** A member of JSON lines. */
  readonly member: string;
  /** Cells before it. */
  readonly cells: { readonly csv: number; readonly brief: number };
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
  /** False if rows are computed here from the store's data: then there is no columnar form. */
  readonly hasColumns: boolean;
  /** Context that its addresses can have. */
  readonly contextFields: readonly ContextField[];
  /** Where its rows have the address for context; absent = rows have keys (context-pages.ts). */
  readonly rowAddress?: RowAddress;
  /** Other programs' formats for such rows. */
  readonly writers?: ProgramWriters;
  /**
   * In the view's own order, each page a separate short query. In a columnar form there is at least one page, which has
   * their names. If context is requested, rows end with its keys (context-pages.ts). Rejects with Failure `store`.
   */
  readonly pages: (ask: AskStore, query: ViewQuery, form: PageForm) => AsyncGenerator<Page, void, undefined>;
}

export interface View extends ViewText {
  /** Schema of a row in JSON. */
  readonly schema: GenericSchema;
  /** Context `fields` are at the end of the rows. */
  readonly pen: (palette: Palette, fields: readonly ContextField[]) => Pen;
  /** All rows, as the schema takes them, as one picture. */
  readonly picture?: (rows: readonly unknown[]) => Picture;
}

/** Draws brief rows for people. */
export interface Pen {
  /** Whole lines, into text safe for a terminal; null if they have another form. */
  readonly draw: (lines: Uint8Array) => Uint8Array | null;
  /** Text below the last row. */
  readonly end?: () => string;
}
