/**
 * A source of results: a column store, or a gateway that serves a user's own. Both return the same rows for the same
 * query, checked by one suite (tests/contract/results/suite.ts).
 */
import type { Unattributed } from "../../engines/store/clickhouse/attributed-replies.ts";
import { type ColumnForm, isColumnForm, type ProgramForm } from "../../measuring/formats/forms.ts";
import type { PageForm, ViewQuery, ViewText } from "./view.ts";

/** Formats for programs, and `brief`, which the view's pen reads to draw for people. */
export const textForms = ["json", "ndjson", "csv", "brief"] as const;
/** Other programs' formats are for the view `traces`. */
export type TextForm = (typeof textForms)[number] | ColumnForm | ProgramForm;

/** The form of a view's pages from which the text of a form is made. */
export function pageFormOf(form: TextForm): PageForm {
  return form === "brief" || form === "csv" || isColumnForm(form) ? form : "ndjson";
}

interface ResultAnswer {
  /**
   * In UTF-8, chunk by chunk: one JSON array, JSON lines, CSV with a header line, brief rows, or another program's
   * format. Ended early, the query is cancelled. Rejects with Failure `store` or GatewayError; earlier chunks are then
   * incomplete.
   */
  readonly texts: AsyncIterable<Uint8Array>;
  /** Replies that are not in the rows; call it after reading all of them. Rejects like them. */
  readonly unattributed: () => Promise<Unattributed>;
}

export interface ResultSource {
  /**
   * Whether CSV cells are already safe for terminals and spreadsheets, as the views here write them
   * (lib/base/terminal/foreign-text.ts).
   */
  readonly areCellsHarmless: boolean;
  /** Rejects with Failure `store` or GatewayError. */
  readonly ask: (view: ViewText, query: ViewQuery, form: TextForm) => Promise<ResultAnswer>;
}
