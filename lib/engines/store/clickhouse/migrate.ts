/**
 * Migrates a column store to this version: applies missing migrations, in order, and adapts the retention of rows.
 *
 * `measure.migrations` records what was applied. Statement and row are not one transaction, so each statement
 * is noted before and after it runs; if that was interrupted, the object that it creates shows whether it
 * ran.
 */
import { Failure } from "../../../base/failure/failure.ts";
import { systemReason } from "../../../base/failure/system-reason.ts";
import { clusterOf } from "./cluster-of.ts";
import { canHaveDoor, makeDoor } from "./door.ts";
import { ttlDaysMax } from "./limits.ts";
import {
  fromBrokerMigration,
  type Migration,
  migrations,
  ownVersion,
  render,
  type SqlValues,
} from "./migrations.ts";
import type { ColumnStore } from "./open.ts";

/** Tables whose rows expire, by the setting with their days. */
const agingTables = {
  ttlDays: ["replies", "replies_rejected", "probes"],
  historyDays: ["history", "history_counted"],
} as const;
/** ClickHouse's error codes for a table and a column that exist already. */
const alreadyThere: readonly unknown[] = ["57", "15"];

export interface MigrationReport {
  /** Versions applied now. */
  readonly applied: readonly number[];
  /** Tables whose days were changed. */
  readonly ttlChanged: readonly string[];
  /** The same of the history. */
  readonly historyChanged: readonly string[];
  /** Whether replies now come another way: by the ingester, or by the store's own Kafka engine. */
  readonly feedChanged: boolean;
}

interface AppliedRow {
  readonly version: number;
  readonly name: string;
  readonly checksum: string;
  readonly isDone: number;
}

/**
 * Rejects with Failure `store` `version` when the store was made by a newer Vantage or its migrations differ from ours;
 * nothing is changed then. Run by one program at a time.
 */
export async function migrate(store: ColumnStore, values: SqlValues): Promise<MigrationReport> {
  for (const days of [values.ttlDays, values.historyDays]) {
    if (!Number.isSafeInteger(days) || days < 1 || days > ttlDaysMax) {
      throw new RangeError(`Cannot keep results for ${days} days: give 1 to ${ttlDaysMax}`);
    }
  }
  await mustHoldRows(store);
  await createBookkeeping(store);
  const rows = await appliedRows(store);
  checkHistory(store, rows);
  const applied: number[] = [];
  for (const migration of migrations) {
    const row = rows.find(({ version }) => version === migration.version);
    if (row?.isDone !== 1) {
      await apply(store, migration, { values, wasStarted: row !== undefined });
      applied.push(migration.version);
    }
  }
  const report = {
    applied,
    ttlChanged: await adaptTtl(store, agingTables.ttlDays, values.ttlDays),
    historyChanged: await adaptTtl(store, agingTables.historyDays, values.historyDays),
    feedChanged: await adaptFeed(store, values),
  };
  if (await canHaveDoor(store)) {
    await makeDoor(store);
  }
  return report;
}

/** A front gets its columns from its shards. */
async function mustHoldRows(store: ColumnStore): Promise<void> {
  const cluster = await clusterOf(store);
  if (cluster !== null) {
    throw new Failure(
      "store",
      "refused",
      `Cannot migrate ${store.address} so: it is the front of ${cluster}; migrate each shard, ` +
        `then this with --cluster ${cluster}`,
    );
  }
}

/**
 * For programs that only read: rejects with Failure `store` `version` unless the store has exactly this
 * version.
 */
export async function checkVersion(store: ColumnStore): Promise<void> {
  const version = await storeVersion(store);
  if (version < ownVersion) {
    throw new Failure(
      "store",
      "version",
      `Cannot use the column store ${store.address}: it has version ${version}, this program needs ${ownVersion}; ` +
        "start vantage stack of this program, which brings it there",
    );
  }
}

/**
 * Migrations that are applied; 0 = it is empty. Changes nothing. Rejects with Failure `store` `version` when the store
 * was made by a newer Vantage, or its migrations differ from ours.
 */
export async function storeVersion(store: ColumnStore): Promise<number> {
  const rows = (await hasBookkeeping(store)) ? await appliedRows(store) : [];
  checkHistory(store, rows);
  return rows.filter(({ isDone }) => isDone === 1).length;
}

async function hasBookkeeping(store: ColumnStore): Promise<boolean> {
  const found = await store.client.query({
    query: "SELECT name FROM system.tables WHERE database = 'measure' AND name = 'migrations'",
    format: "JSONEachRow",
  });
  return (await found.json()).length > 0;
}

/** Creates the migration tables: the only objects created "if not exists", as they record what exists. */
export async function createBookkeeping({ client }: ColumnStore): Promise<void> {
  await client.command({ query: "CREATE DATABASE IF NOT EXISTS measure" });
  await client.command({
    query: `CREATE TABLE IF NOT EXISTS measure.migrations (
      version UInt32, name String, checksum String, is_done UInt8, at DateTime64(3, 'UTC') DEFAULT now64(3)
    ) ENGINE = MergeTree ORDER BY (version, is_done)`,
  });
}

async function appliedRows({ client }: ColumnStore): Promise<AppliedRow[]> {
  const result = await client.query({
    query: `SELECT version, any(name) AS name, any(checksum) AS checksum, max(is_done) AS isDone
      FROM measure.migrations GROUP BY version ORDER BY version`,
    format: "JSONEachRow",
  });
  return result.json<AppliedRow>();
}

function checkHistory({ address }: ColumnStore, rows: readonly AppliedRow[]): void {
  const newest = rows.at(-1)?.version ?? 0;
  if (newest > ownVersion) {
    throw new Failure(
      "store",
      "version",
      `Cannot use the column store ${address}: it has version ${newest}, this program knows ${ownVersion}; ` +
        "install a newer Vantage",
    );
  }
  for (const { version, name, checksum } of rows) {
    const own = migrations[version - 1];
    if (own === undefined || own.checksum !== checksum) {
      throw new Failure(
        "store",
        "version",
        `Cannot use the column store ${address}: its migration ${version} (${name}) is not ` +
          `the one of this program (${own?.name ?? "none"}); it was made by another build`,
      );
    }
  }
}

async function apply(
  store: ColumnStore,
  migration: Migration,
  { values, wasStarted }: { readonly values: SqlValues; readonly wasStarted: boolean },
): Promise<void> {
  if (!wasStarted) {
    await note(store, migration, 0);
  }
  try {
    await store.client.command({ query: render(migration, values) });
  } catch (cause) {
    if (!(wasStarted && isAlreadyThere(cause))) {
      const reason = systemReason(cause);
      throw new Failure(
        "store",
        "refused",
        `Cannot bring the column store ${store.address} to version ${migration.version} (${migration.name}): ${reason}`,
        { cause },
      );
    }
  }
  await note(store, migration, 1);
}

export async function note({ client }: ColumnStore, migration: Migration, isDone: 0 | 1): Promise<void> {
  const { version, name, checksum } = migration;
  await client.insert({
    table: "measure.migrations",
    values: [{ version, name, checksum, is_done: isDone }],
    format: "JSONEachRow",
  });
}

function isAlreadyThere(error: unknown): boolean {
  return typeof error === "object" && error !== null && "code" in error && alreadyThere.includes(error.code);
}

/** Changes the retention of tables where it differs. */
async function adaptTtl({ client }: ColumnStore, tables: readonly string[], days: number): Promise<string[]> {
  const wanted = `toIntervalDay(${days})`;
  const result = await client.query({
    query: `SELECT name FROM system.tables WHERE database = 'measure' AND name IN ({tables:Array(String)})
      AND position(engine_full, {wanted:String}) = 0 ORDER BY name`,
    query_params: { tables, wanted },
    format: "JSONEachRow",
  });
  const names = (await result.json<{ name: string }>()).map(({ name }) => name);
  for (const name of names) {
    await client.command({ query: `ALTER TABLE measure.${name} MODIFY TTL date + ${wanted}` });
  }
  return names;
}

/** The engine of `from_broker` in a store that reads the broker itself. */
const readingEngine = "Kafka";

/** Whether the store reads replies from the broker itself: then nothing else may feed it. */
export async function readsBroker(store: ColumnStore): Promise<boolean> {
  return (await engineOfFeed(store)) === readingEngine;
}

async function engineOfFeed({ client }: ColumnStore): Promise<string | undefined> {
  const result = await client.query({
    query: "SELECT engine FROM system.tables WHERE database = 'measure' AND name = 'from_broker'",
    format: "JSONEachRow",
  });
  return (await result.json<{ engine: string }>())[0]?.engine;
}

/**
 * Replaces `from_broker` where it has the other engine. It holds no rows; its views refer to it by name, and
 * stay.
 */
async function adaptFeed(store: ColumnStore, values: SqlValues): Promise<boolean> {
  const fromBroker = migrations.find(({ name }) => name === fromBrokerMigration);
  const engine = await engineOfFeed(store);
  const isRight = (engine === readingEngine) === (values.kafkaBrokers !== "");
  if (fromBroker === undefined || (engine !== undefined && isRight)) {
    return false;
  }
  await store.client.command({
    query: "DROP TABLE IF EXISTS measure.from_broker SYNC SETTINGS check_table_dependencies = 0",
  });
  await store.client.command({ query: render(fromBroker, values) });
  return true;
}
