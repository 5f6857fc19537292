/** Commands and inserts; both reject with Failure `store`. */
import { Readable } from "node:stream";
import type { ColumnStore } from "./open.ts";
import { storeErrorOf } from "./rows.ts";

interface Insert {
  /** `INSERT INTO … FORMAT …`. */
  readonly query: string;
  /** The rows, in that format. */
  readonly pieces: readonly Uint8Array[];
  readonly queryId?: string;
  readonly settings?: Readonly<Record<string, string | number>>;
}

/** Resolves when the rows are stored. */
export async function insertRows(
  store: ColumnStore,
  { query, pieces, queryId, settings }: Insert,
): Promise<void> {
  try {
    const { stream } = await store.client.exec({
      query,
      values: Readable.from(pieces, { objectMode: false }),
      ...(queryId === undefined ? {} : { query_id: queryId }),
      ...(settings === undefined ? {} : { clickhouse_settings: settings }),
    });
    for await (const _ of stream) {
      // The answer has no content; its end means success.
    }
  } catch (cause) {
    throw storeErrorOf(cause, store.address);
  }
}

export async function runCommand(store: ColumnStore, query: string): Promise<void> {
  try {
    await store.client.command({ query });
  } catch (cause) {
    throw storeErrorOf(cause, store.address);
  }
}
