/**
 * The rows of a gateway's database, in one REPEATABLE READ transaction, so that all tables are of one moment.
 *
 * A line is a JSON array of the row's values as PostgreSQL's text, or null. It is read by our own driver, and not by
 * pg_dump: the embedded engine has no such program, a server's must be as new as the server, and this way a copy of the
 * one can be restored into the other. The schema is not copied: migrations make it again.
 */
import type { TransactionSql } from "postgres";
import { cannot } from "../../../lib/command/command/command-error.ts";
import { type Schema, schemaVersion } from "../../../lib/engines/store/postgres/migrate.ts";
import type { Database } from "../../../lib/engines/store/postgres/open.ts";
import { columnsOf, quotedName, tablesOf } from "./database-tables.ts";
import type { CopiedDatabase } from "./manifest.ts";
import type { PartFiles } from "./part-files.ts";

/** Rows of one FETCH: as many as have some 1 MB, because a row may have some bytes or tens of megabytes. */
const rowsFirst = 50;
const rowsMax = 5000;
const lettersWanted = 1_000_000;

interface DatabaseOrder {
  readonly database: Database;
  readonly schema: Schema;
  readonly parts: PartFiles;
}

/** Rejects with CommandError for an empty database, with Failure `database` for one of a newer program. */
export async function copyDatabase({ database, schema, parts }: DatabaseOrder): Promise<CopiedDatabase> {
  const version = await schemaVersion(database, schema);
  if (version === 0) {
    throw cannot(
      `Cannot back up the database ${database.address}: it is empty; has its gateway been started?`,
    );
  }
  const copy = async (tx: TransactionSql): Promise<CopiedDatabase> => {
    await tx.unsafe("SET LOCAL statement_timeout = 0");
    await tx.unsafe("SET LOCAL idle_in_transaction_session_timeout = 0");
    const tables: CopiedDatabase["tables"] = [];
    for (const table of await tablesOf(tx)) {
      const columns = (await columnsOf(tx, table)).map(({ name }) => name);
      const part = await parts.write(`databases/${schema.name}/${table}.ndjson`, linesOf(tx, table, columns));
      tables.push({ table, columns, rows: part.content.lines, part });
    }
    return {
      ...{ name: schema.name, from: database.address, schemaVersion: version },
      ...{ tables, sequences: await sequencesOf(tx) },
    };
  };
  const mode = "ISOLATION LEVEL REPEATABLE READ READ ONLY";
  return await database.patiently(async () => await database.sql.begin(mode, copy));
}

async function* linesOf(
  tx: TransactionSql,
  table: string,
  columns: readonly string[],
): AsyncGenerator<Uint8Array, void, undefined> {
  const texts = columns.map((name) => `${quotedName(name)}::text`).join(", ");
  await tx.unsafe(
    `DECLARE lines NO SCROLL CURSOR FOR SELECT to_json(ARRAY[${texts}])::text AS line FROM ${quotedName(table)}`,
  );
  for (let rows = rowsFirst; ; ) {
    const found = await tx.unsafe<{ line: string }[]>(`FETCH ${rows} FROM lines`);
    if (found.length === 0) {
      break;
    }
    const text = `${found.map(({ line }) => line).join("\n")}\n`;
    yield Buffer.from(text);
    const fitting = Math.ceil((rows * lettersWanted) / text.length);
    rows = Math.max(1, Math.min(rowsMax, 2 * rows, fitting));
  }
  await tx.unsafe("CLOSE lines");
}

/** Sequences are outside transactions: at least as far as the rows are. */
async function sequencesOf(tx: TransactionSql): Promise<CopiedDatabase["sequences"]> {
  const found = await tx.unsafe<{ name: string; value: string }[]>(
    `SELECT sequencename AS name, last_value::text AS value FROM pg_sequences
     WHERE schemaname = current_schema() AND last_value IS NOT NULL ORDER BY sequencename`,
  );
  return found.map(({ name, value }) => ({ name, value }));
}
