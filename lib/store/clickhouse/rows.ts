/** Rows of one query as they come from the store: at no time are all of them in memory. */
import { queryBytesMax, spillFromBytes } from "./limits.ts";
import type { ColumnStore } from "./open.ts";
import { StoreError } from "./store-error.ts";

export type QueryParams = Readonly<Record<string, string | number | readonly string[]>>;

export interface RowQuery {
  readonly sql: string;
  /** Values of `{name:Type}`. */
  readonly params: QueryParams;
}

const memorySettings = {
  max_memory_usage: String(queryBytesMax),
  max_bytes_before_external_group_by: String(spillFromBytes),
  max_bytes_before_external_sort: String(spillFromBytes),
} as const;

/**
 * The rows of a query without a FORMAT. Ended early, the query is cancelled.
 *
 * Rejects with StoreError: `refused`, with ClickHouse's reason, or `unavailable`.
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

/** The whole result of a query without a FORMAT, in UTF-8, as ClickHouse writes it. Rejects with StoreError. */
export async function textOf(
  store: ColumnStore,
  { sql, params }: RowQuery,
  format: "JSONEachRow" | "CSV",
): Promise<Uint8Array> {
  try {
    const { stream } = await store.client.exec({
      query: `${sql} FORMAT ${format}`,
      query_params: { ...params },
      // On a server an error in the middle would else be written behind the rows before it.
      clickhouse_settings: { ...memorySettings, ...textSettings, wait_end_of_query: 1 },
    });
    const chunks: Uint8Array[] = [];
    for await (const chunk of stream) {
      chunks.push(chunk as Uint8Array);
    }
    return Buffer.concat(chunks);
  } catch (cause) {
    throw storeErrorOf(cause, store.address);
  }
}

const textSettings = {
  output_format_json_escape_forward_slashes: 0,
  format_csv_null_representation: "",
  prefer_column_name_to_alias: 1,
} as const;

/** ClickHouse's own errors carry its number as `code`; anything else is the way to it. */
export function storeErrorOf(cause: unknown, address: string): StoreError {
  if (cause instanceof StoreError) {
    return cause;
  }
  const reason = cause instanceof Error ? cause.message || cause.name : String(cause);
  const isRefused =
    cause instanceof Error && "code" in cause && /^\d+$/.test(String(cause.code)) && "type" in cause;
  return isRefused
    ? new StoreError("refused", `The column store ${address} refuses: ${reason}`, { cause })
    : new StoreError("unavailable", `Cannot reach the column store ${address}: ${reason}`, { cause });
}
