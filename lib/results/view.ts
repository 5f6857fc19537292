/**
 * A view: one way to look at results. It says what its rows are in JSON, how the store is asked for them, and how they
 * are drawn for people; the command line, both engines of ResultSource and the gateway's API come from that.
 */
import type { GenericSchema } from "valibot";
import type { ColumnStore } from "../store/clickhouse/open.ts";
import type { ReplyFilter } from "../store/clickhouse/reply-filter.ts";
import type { Palette } from "../terminal/colour.ts";
import type { Column } from "../terminal/rows-output.ts";

/** Lines of one JSON object each, or rows of CSV without their head. */
export type LineForm = "ndjson" | "csv";

export interface ViewQuery {
  readonly filter: ReplyFilter;
  /** Rows, or paths; null = all. */
  readonly limit: number | null;
}

/** Asks the store one question; whoever holds the store decides what happens when it is away. */
export type AskStore = <Answer>(question: (store: ColumnStore) => Promise<Answer>) => Promise<Answer>;

/** Whole lines in UTF-8, with their ends. */
export interface Page {
  readonly bytes: Uint8Array;
  /** Rows, or paths. */
  readonly rows: number;
}

/** What is asked for as text, whatever its rows are. */
export interface ViewText {
  /** Behind `/api/measurements/{id}/`, and of `vantage replies --view`. */
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  /** Rows when nobody asks for a number; null = all. */
  readonly limitDefault: number | null;
  /** Columns in CSV. */
  readonly csvNames: readonly string[];
  /** In an order of the view's own, each page a short question of its own. Rejects with Failure `store`. */
  readonly pages: (ask: AskStore, query: ViewQuery, form: LineForm) => AsyncGenerator<Page, void, undefined>;
}

export interface View<Row> extends ViewText {
  /** Of a row in JSON. */
  readonly schema: GenericSchema<Row>;
  readonly drawing: Drawing<Row>;
}

/** For people: a table, or a text for each row; then perhaps a last line of all rows. */
interface Drawing<Row> {
  readonly columns: readonly Column<Row>[];
  readonly text?: (row: Row, palette: Palette) => string;
  readonly sum?: () => { readonly add: (row: Row) => void; readonly line: () => string };
}
