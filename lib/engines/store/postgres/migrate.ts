/**
 * Brings a database to this version: applies what is missing, in order, each migration in a transaction of its own
 * with its row in `schema_migrations`. An advisory lock makes programs that start at once take turns.
 */
import { createHash } from "node:crypto";
import type { Sql, TransactionSql } from "postgres";
import { Failure } from "../../../base/failure/failure.ts";
import { isOutage } from "../../../base/failure/outage.ts";
import { systemReason } from "../../../base/failure/system-reason.ts";
import { migrationMsMax } from "./limits.ts";
import type { Database } from "./open.ts";

interface Migration {
  /** 1, 2, 3, … without a gap. */
  readonly number: number;
  readonly name: string;
  /** The file's text: one statement or several. Once released it never changes. */
  readonly text: string;
}

export interface Schema {
  readonly name: "probing" | "peering";
  readonly migrations: readonly Migration[];
}

/** Builds a schema from the files' texts by their names, oldest first. */
export function schemaOf(name: Schema["name"], texts: Readonly<Record<string, string>>): Schema {
  const migrations = Object.entries(texts).map(([file, text], i) => ({ number: i + 1, name: file, text }));
  return { name, migrations };
}

/** An arbitrary number that no other program is likely to lock. */
const lockKey = 7_305_870_915;

/**
 * Resolves to the numbers applied now. Rejects with Failure `database`: `newerSchema` and `changedMigration` before
 * anything is changed, `refusedMigration` with what was applied before it in place.
 *
 * @param versionMax for a database that an older program is to continue with
 */
export async function migrate(
  database: Database,
  schema: Schema,
  versionMax = schema.migrations.length,
): Promise<number[]> {
  const applied: number[] = [];
  for (;;) {
    const number = await database.patiently(() =>
      database.sql.begin((tx) => applyNext(tx, { schema, address: database.address, versionMax })),
    );
    if (number === null) {
      return applied;
    }
    applied.push(number);
  }
}

/**
 * The version of a database's schema; 0 = it is empty. Changes nothing. Rejects with Failure `database`: `newerSchema`,
 * `changedMigration`.
 */
export async function schemaVersion({ sql, address }: Database, schema: Schema): Promise<number> {
  const rows = (await hasHistory(sql)) ? await appliedRows(sql) : [];
  checkHistory(rows, schema, address);
  return rows.length;
}

interface Step {
  readonly schema: Schema;
  readonly address: string;
  readonly versionMax: number;
}

/** Checks again under the lock each time: another program may have migrated in between. */
async function applyNext(tx: TransactionSql, { schema, address, versionMax }: Step): Promise<number | null> {
  await tx.unsafe(`SET LOCAL statement_timeout = ${migrationMsMax}`);
  await tx`SELECT pg_advisory_xact_lock(${lockKey})`;
  const rows = (await hasHistory(tx)) ? await appliedRows(tx) : await createHistory(tx);
  checkHistory(rows, schema, address);
  const next = schema.migrations[rows.length];
  if (next === undefined || rows.length >= versionMax) {
    return null;
  }
  await apply(tx, next, address);
  await tx`
    INSERT INTO schema_migrations (number, service, name, checksum)
    VALUES (${next.number}, ${schema.name}, ${next.name}, ${checksum(next)})`;
  return next.number;
}

interface AppliedRow {
  readonly number: number;
  readonly service: string;
  readonly name: string;
  readonly checksum: string;
}

async function hasHistory(sql: Sql | TransactionSql): Promise<boolean> {
  const [found] = await sql<{ exists: boolean }[]>`
    SELECT to_regclass('schema_migrations') IS NOT NULL AS exists`;
  return found?.exists === true;
}

function appliedRows(sql: Sql | TransactionSql): Promise<AppliedRow[]> {
  return sql<AppliedRow[]>`SELECT number, service, name, checksum FROM schema_migrations ORDER BY number`;
}

async function createHistory(tx: TransactionSql): Promise<AppliedRow[]> {
  await tx`
    CREATE TABLE schema_migrations (
      number integer PRIMARY KEY CHECK (number > 0),
      service text NOT NULL,
      name text NOT NULL,
      checksum text NOT NULL,
      applied_at timestamptz NOT NULL DEFAULT now()
    )`;
  return [];
}

function checkHistory(rows: readonly AppliedRow[], schema: Schema, address: string): void {
  const place = `Cannot use the database ${address}`;
  const foreign = rows.find(({ service }) => service !== schema.name);
  if (foreign !== undefined) {
    throw new Failure(
      "database",
      "newerSchema",
      `${place} for ${schema.name}: it holds the schema of ${foreign.service}; give each its own database`,
    );
  }
  if (rows.length > schema.migrations.length) {
    throw new Failure(
      "database",
      "newerSchema",
      `${place}: its schema has version ${rows.length}, this program knows ${schema.migrations.length}; ` +
        "install a newer Vantage",
    );
  }
  for (const [i, { number, name, checksum: before }] of rows.entries()) {
    const own = schema.migrations[i];
    if (own?.number !== number || checksum(own) !== before) {
      throw new Failure(
        "database",
        "changedMigration",
        `${place}: its migration ${number} (${name}) is not the one of this program (${own?.name ?? "none"}); ` +
          "it was made by another build",
      );
    }
  }
}

async function apply(tx: TransactionSql, { number, name, text }: Migration, address: string): Promise<void> {
  try {
    await tx.unsafe(text).simple();
  } catch (cause) {
    if (isOutage(cause)) {
      throw cause;
    }
    const reason = systemReason(cause);
    throw new Failure(
      "database",
      "refusedMigration",
      `Cannot bring the database ${address} to version ${number} (${name}): ${reason}`,
      { cause },
    );
  }
}

function checksum({ text }: Migration): string {
  return createHash("sha256").update(text).digest("hex");
}
