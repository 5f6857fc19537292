/** Rows of a copy into a store without rows. */
import { cannot } from "../../../lib/command/command/command-error.ts";
import { ingestGroups } from "../../../lib/engines/broker/ingest-feeds.ts";
import { migrate } from "../../../lib/engines/store/clickhouse/migrate.ts";
import type { ColumnStore } from "../../../lib/engines/store/clickhouse/open.ts";
import { wholeLines } from "../../../lib/engines/store/clickhouse/whole-lines.ts";
import { insertRows, runCommand } from "../../../lib/engines/store/clickhouse/write.ts";
import { repliesTopic } from "../../../lib/net/wire/target-header.ts";
import type { CopiedStore, CopiedTable } from "./manifest.ts";
import type { PartFiles } from "./part-files.ts";
import { columnNamesOf, countRows } from "./store-tables.ts";

/** Bytes of one insert: a quarter of a request's limit at the embedded store. */
const insertBytes = 64 << 20;

/** Makes the tables, as this program has them, and fills them. Rejects with CommandError when rows are missing then. */
export async function restoreStore(copy: CopiedStore, store: ColumnStore, parts: PartFiles): Promise<void> {
  const feed = { kafkaBrokers: "", repliesTopic, repliesGroup: ingestGroups.replies };
  const { ttlDays, historyDays } = copy;
  await migrate(store, { ttlDays, historyDays, ...feed });
  for (const table of copy.tables) {
    // Days that are older than the store keeps must be there when rows are counted; they go afterwards.
    await runCommand(store, `SYSTEM STOP TTL MERGES ${table.table}`);
    try {
      await fillTable(table, store, parts);
    } finally {
      await runCommand(store, `SYSTEM START TTL MERGES ${table.table}`);
    }
  }
}

async function fillTable(
  { table, columns, rows, days }: CopiedTable,
  store: ColumnStore,
  parts: PartFiles,
): Promise<void> {
  const known = await columnNamesOf(store, table);
  const unknown = columns.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw cannot(`Cannot restore table ${table}: this program's table has no column ${unknown}`);
  }
  for (const { part } of days) {
    for await (const lines of batches(parts.read(part))) {
      await insertRows(store, {
        query: `INSERT INTO ${table} (${columns.join(", ")}) FORMAT TabSeparated`,
        pieces: lines,
        // Equal parts of a table are not repetitions.
        settings: { insert_deduplicate: 0 },
      });
    }
  }
  const found = await countRows(store, table);
  if (found !== rows) {
    throw cannot(`Cannot restore table ${table}: it has ${found} rows, the backup has ${rows}`);
  }
}

async function* batches(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array[], void, undefined> {
  let [pieces, bytes]: [Uint8Array[], number] = [[], 0];
  for await (const piece of wholeLines(content)) {
    if (bytes + piece.length > insertBytes && bytes > 0) {
      yield pieces;
      [pieces, bytes] = [[], 0];
    }
    pieces.push(piece);
    bytes += piece.length;
  }
  if (bytes > 0) {
    yield pieces;
  }
}
