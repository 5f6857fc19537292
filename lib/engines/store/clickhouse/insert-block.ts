/**
 * Inserts one Native block into a table so that a retry is harmless.
 *
 * All inserts into a table use one query id, and a server runs one query of an id at a time, over all its
 * clients. So a retry waits for the end of the first try, whose answer may have been lost, and deduplication
 * sees all its rows. An embedded store runs one write at a time anyway.
 */
import type { ColumnStore } from "./open.ts";
import { insertRows } from "./write.ts";

interface BlockInsert {
  /** Qualified: `measure.from_ingester`. */
  readonly table: string;
  readonly block: Uint8Array;
  /** The same for each attempt to insert this block, different for any other block. */
  readonly token: string;
}

/** Both fill `measure.replies` (the latter for ingesters of former versions), so they take turns. */
const turns: Readonly<Record<string, string>> = { "measure.from_ingester": "measure.from_broker" };
const queryIdOf = (table: string) => `vantage-insert-${turns[table] ?? table}`;

/** Resolves when the rows are stored. Rejects with Failure `store`: unless it is `busy`, they may be stored. */
export async function insertBlock(store: ColumnStore, { table, block, token }: BlockInsert): Promise<void> {
  await insertRows(store, {
    query: `INSERT INTO ${table} FORMAT Native`,
    pieces: [block],
    queryId: queryIdOf(table),
    settings: {
      insert_deduplicate: 1,
      insert_deduplication_token: token,
      deduplicate_blocks_in_dependent_materialized_views: 1,
    },
  });
}
