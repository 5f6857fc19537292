/** Age of the rows in the store's tables; considers the last two days only. */
import type { ColumnStore } from "./open.ts";
import { rowsOf } from "./rows.ts";

export interface TableFreshness {
  /** When the newest record was captured, or submitted; null = none in the last two days. */
  readonly newest_at: Date | null;
  /** Rows stored in the last minute; for probes, which have no time of storage, submitted in it. */
  readonly rows_last_minute: number;
}

type FedTable = "replies" | "probes" | "updates";

interface Table {
  readonly name: string;
  readonly recordedAt: string;
  readonly storedAt: string;
}

const tables: Readonly<Record<FedTable, Table>> = {
  replies: { name: "measure.replies", recordedAt: "time_received_ns", storedAt: "time_inserted_ns" },
  probes: { name: "measure.probes", recordedAt: "time_submitted", storedAt: "time_submitted" },
  updates: { name: "bmp.updates", recordedAt: "time_received_ns", storedAt: "time_inserted_ns" },
};

/** Rejects with Failure `store`. */
export async function freshnessOf(store: ColumnStore, feed: FedTable): Promise<TableFreshness> {
  const { name, recordedAt, storedAt } = tables[feed];
  const newestMs = `toUnixTimestamp64Milli(toDateTime64(max(${recordedAt}), 3, 'UTC'))`;
  const sql = `SELECT toString(count()) AS rows, toString(${newestMs}) AS newest_ms,
      toString(countIf(${storedAt} > now() - 60)) AS minute
    FROM ${name} WHERE date >= today() - 1`;
  for await (const row of rowsOf<Record<"rows" | "newest_ms" | "minute", string>>(store, {
    sql,
    params: {},
  })) {
    const newest = row.rows === "0" ? null : new Date(Number(row.newest_ms));
    return { newest_at: newest, rows_last_minute: Number(row.minute) };
  }
  return { newest_at: null, rows_last_minute: 0 };
}
