/** Rows of a copy into an empty database: all in one transaction, so that a failure leaves it empty. */
import type { TransactionSql } from "postgres";
import { cannot } from "../../../lib/command/command/command-error.ts";
import { wholeLines } from "../../../lib/engines/store/clickhouse/whole-lines.ts";
import { migrate, type Schema } from "../../../lib/engines/store/postgres/migrate.ts";
import type { Database } from "../../../lib/engines/store/postgres/open.ts";
import { columnsOf, foreignKeysOf, quotedName, tablesOf } from "./database-tables.ts";
import type { CopiedDatabase } from "./manifest.ts";
import type { PartFiles } from "./part-files.ts";

/** Bytes of rows in one statement, unless a single row has more. */
const insertBytes = 4_000_000;

interface RestoreOrder {
  readonly copy: CopiedDatabase;
  readonly database: Database;
  readonly schema: Schema;
  readonly parts: PartFiles;
}

/** Brings the schema to the version of the copy, and fills it. Rejects with CommandError when rows are missing then. */
export async function restoreDatabase({ copy, database, schema, parts }: RestoreOrder): Promise<void> {
  await migrate(database, schema, copy.schemaVersion);
  const fill = async (tx: TransactionSql) => {
    await tx.unsafe("SET LOCAL statement_timeout = 0");
    const tables = (await tablesOf(tx)).map(quotedName);
    const keys = await foreignKeysOf(tx);
    for (const { table, name } of keys) {
      await tx.unsafe(`ALTER TABLE ${quotedName(table)} DROP CONSTRAINT ${quotedName(name)}`);
    }
    for (const table of tables) {
      await tx.unsafe(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
    }
    // Migrations have put rows into some.
    await tx.unsafe(`TRUNCATE ${tables.join(", ")}`);
    for (const table of copy.tables) {
      await fillTable(tx, table, parts);
    }
    for (const table of tables) {
      await tx.unsafe(`ALTER TABLE ${table} ENABLE TRIGGER USER`);
    }
    // Only now, as tables refer to each other; PostgreSQL checks all rows.
    for (const { table, name, definition } of keys) {
      await tx.unsafe(`ALTER TABLE ${quotedName(table)} ADD CONSTRAINT ${quotedName(name)} ${definition}`);
    }
    for (const { name, value } of copy.sequences) {
      await tx.unsafe("SELECT setval($1::text::regclass, $2::text::bigint)", [quotedName(name), value]);
    }
  };
  await database.patiently(() => database.sql.begin(fill));
}

async function fillTable(
  tx: TransactionSql,
  { table, columns, rows, part }: CopiedDatabase["tables"][number],
  parts: PartFiles,
): Promise<void> {
  const types = new Map((await columnsOf(tx, table)).map(({ name, type }) => [name, type]));
  const unknown = columns.find((name) => !types.has(name));
  if (unknown !== undefined) {
    throw cannot(`Cannot restore table ${table}: this program's schema has no column ${unknown}`);
  }
  const values = columns.map((name, i) => `(line->>${i})::${types.get(name)}`).join(", ");
  const statement = `INSERT INTO ${quotedName(table)} (${columns.map(quotedName).join(", ")})
    OVERRIDING SYSTEM VALUE SELECT ${values} FROM json_array_elements($1::text::json) AS lines (line)`;
  for await (const lines of batches(parts.read(part))) {
    await tx.unsafe(statement, [`[${lines.join(",")}]`]);
  }
  const [found] = await tx.unsafe<{ rows: number }[]>(`SELECT count(*) AS rows FROM ${quotedName(table)}`);
  if (found?.rows !== rows) {
    throw cannot(`Cannot restore table ${table}: it has ${found?.rows} rows, the backup has ${rows}`);
  }
}

/** Lines of some megabytes at a time. */
async function* batches(content: AsyncIterable<Uint8Array>): AsyncGenerator<string[], void, undefined> {
  let [lines, letters]: [string[], number] = [[], 0];
  for await (const piece of wholeLines(content)) {
    for (const line of new TextDecoder().decode(piece).trimEnd().split("\n")) {
      if (letters + line.length > insertBytes && lines.length > 0) {
        yield lines;
        [lines, letters] = [[], 0];
      }
      lines.push(line);
      letters += line.length;
    }
  }
  if (lines.length > 0) {
    yield lines;
  }
}
