/** Streams the rows of one query from the store, never holding all of them in memory. */
import { Failure, isFailure } from "../../../base/failure/failure.ts";
import { systemReason } from "../../../base/failure/system-reason.ts";
import { queryBytesMax, spillFromBytes } from "./limits.ts";
import type { ColumnStore } from "./open.ts";
import { wholeLines } from "./whole-lines.ts";

export type QueryParams = Readonly<Record<string, string | number | readonly string[]>>;

export interface RowQuery {
  readonly sql: string;
  /** Values of `{name:Type}`. */
  readonly params: QueryParams;
  /** In JSON lines, write tuples as lists, even with named parts. */
  readonly areTuplesLists?: boolean;
}

export const memorySettings = {
  max_memory_usage: String(queryBytesMax),
  max_bytes_before_external_group_by: String(spillFromBytes),
  max_bytes_before_external_sort: String(spillFromBytes),
} as const;

/** ClickHouse 24.8 names the parts of each tuple that is made of columns, and would write an object. */
const listSettings = { output_format_json_named_tuples_as_objects: 0 } as const;

/**
 * The rows of a query without a FORMAT. Ended early, the query is cancelled.
 *
 * Rejects with Failure `store`: `refused`, with ClickHouse's reason, or `unavailable`.
 */
export async function* rowsOf<Row>(
  store: ColumnStore,
  { sql, params }: RowQuery,
): AsyncGenerator<Row, void, undefined> {
  try {
    const result = await store.client.query({
      query: sql,
      query_params: { ...params },
      format: "JSONEachRow",
      clickhouse_settings: memorySettings,
    });
    for await (const rows of result.stream<Row>()) {
      for (const row of rows) {
        yield row.json() as Row;
      }
    }
  } catch (cause) {
    throw storeErrorOf(cause, store.address);
  }
}

/** Whether a query has any row. Rejects with Failure `store`. */
export async function isFound(store: ColumnStore, query: RowQuery): Promise<boolean> {
  for await (const _ of rowsOf(store, query)) {
    return true;
  }
  return false;
}

/** Cells of TabSeparated have `\t`, `\n` and `\\` for a tab, a line end and a backslash. */
export type LinesFormat = "JSONEachRow" | "CSV" | "TabSeparated";

/**
 * The lines of a query without a FORMAT as ClickHouse writes them: UTF-8, in pieces of whole lines. Ended
 * early, the query is cancelled.
 *
 * Rejects with Failure `store`, and so do the pieces: the earlier pieces are then incomplete.
 */
export async function linesOf(
  store: ColumnStore,
  { sql, params, areTuplesLists = false }: RowQuery,
  format: LinesFormat,
): Promise<AsyncGenerator<Uint8Array, void, undefined>> {
  try {
    const { stream } = await store.client.exec({
      query: `${sql} FORMAT ${format}`,
      query_params: { ...params },
      // Otherwise a server would write an error in the middle behind the rows before it.
      clickhouse_settings: {
        ...{ ...memorySettings, ...textSettings, wait_end_of_query: 1 },
        ...(areTuplesLists ? listSettings : {}),
      },
    });
    return linesFrom(stream, store.address);
  } catch (cause) {
    throw storeErrorOf(cause, store.address);
  }
}

async function* linesFrom(
  chunks: AsyncIterable<Uint8Array>,
  address: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* wholeLines(chunks);
  } catch (cause) {
    throw storeErrorOf(cause, address);
  }
}

const textSettings = {
  output_format_json_escape_forward_slashes: 0,
  format_csv_null_representation: "",
  format_tsv_null_representation: "",
  prefer_column_name_to_alias: 1,
  // The embedded store hands over a block at a time, as one text: some 5 MB of replies.
  max_block_size: "8192",
} as const;

/** ClickHouse's number for "a query of this id is running". */
const sameIdIsRunning = "216";

/** ClickHouse's own errors carry its number as `code`; anything else is a connection error. */
export function storeErrorOf(cause: unknown, address: string): Failure<"store"> {
  if (isFailure(cause, "store")) {
    return cause;
  }
  const reason = systemReason(cause);
  const isRefused =
    cause instanceof Error && "code" in cause && /^\d+$/.test(String(cause.code)) && "type" in cause;
  if (isRefused && String(cause.code) === sameIdIsRunning) {
    return new Failure("store", "busy", `The column store ${address} is at such an insert: ${reason}`, {
      cause,
    });
  }
  return isRefused
    ? new Failure("store", "refused", `The column store ${address} refuses: ${reason}`, { cause })
    : new Failure("store", "unavailable", `Cannot reach the column store ${address}: ${reason}`, { cause });
}
