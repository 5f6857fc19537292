/** Rows of one query as a file of columns, for other programs. */
import { columnQueryBytesMax } from "./limits.ts";
import type { ColumnStore } from "./open.ts";
import { memorySettings, type RowQuery, storeErrorOf } from "./rows.ts";

/** Texts as strings, not as bytes. No Arrow compression, as not every reader supports it. */
const fileSettings = {
  output_format_parquet_compression_method: "zstd",
  output_format_parquet_string_as_string: 1,
  output_format_arrow_compression_method: "none",
  output_format_arrow_string_as_string: 1,
  output_format_arrow_low_cardinality_as_dictionary: 0,
} as const;

/**
 * The whole file that ClickHouse writes for a query without a FORMAT; without rows it has column names and
 * types.
 *
 * Rejects with Failure `store`.
 */
export async function columnsOf(
  store: ColumnStore,
  { sql, params }: RowQuery,
  format: "Parquet" | "ArrowStream",
): Promise<Uint8Array> {
  try {
    const { stream } = await store.client.exec({
      query: `${sql} FORMAT ${format}`,
      query_params: { ...params },
      clickhouse_settings: {
        ...memorySettings,
        ...fileSettings,
        // The context of a window's addresses is part of the query: 250 bytes each.
        max_query_size: String(columnQueryBytesMax),
        prefer_column_name_to_alias: 1,
        wait_end_of_query: 1,
      },
    });
    return Buffer.concat(await Array.fromAsync(stream as AsyncIterable<Uint8Array>));
  } catch (cause) {
    throw storeErrorOf(cause, store.address);
  }
}
