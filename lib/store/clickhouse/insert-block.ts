/** Puts one Native block into a table, under a token that makes a second try of the same block harmless. */
import { Readable } from "node:stream";
import type { ColumnStore } from "./open.ts";
import { storeErrorOf } from "./rows.ts";

interface BlockInsert {
  /** Qualified: `measure.from_broker`. */
  readonly table: string;
  readonly block: Uint8Array;
  /** The same for each try to insert this block, another one for any other block. */
  readonly token: string;
}

/** Resolves when the rows are stored. Rejects with StoreError; then they may be stored all the same. */
export async function insertBlock(store: ColumnStore, { table, block, token }: BlockInsert): Promise<void> {
  try {
    const { stream } = await store.client.exec({
      query: `INSERT INTO ${table} FORMAT Native`,
      values: Readable.from([block], { objectMode: false }),
      clickhouse_settings: {
        insert_deduplicate: 1,
        insert_deduplication_token: token,
        deduplicate_blocks_in_dependent_materialized_views: 1,
      },
    });
    for await (const _ of stream) {
      // The answer has no content; its end says that all is well.
    }
  } catch (cause) {
    throw storeErrorOf(cause, store.address);
  }
}
