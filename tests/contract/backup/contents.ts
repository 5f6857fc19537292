/** All that an engine holds, to be compared: each table with its rows, in an order that does not depend on the disk. */
import { Database as Sqlite } from "bun:sqlite";
import { logFile, loggedTopics } from "../../../lib/engines/broker/embedded/copy-log.ts";
import { openBroker } from "../../../lib/engines/broker/open.ts";
import { openStore } from "../../../lib/engines/store/clickhouse/open.ts";
import { openDatabase } from "../../../lib/engines/store/postgres/open.ts";
import { Part } from "../store/processes.ts";

/** `SEQ_LOG_VALS` of PostgreSQL. */
const aheadMax = 32;

type Rows = Readonly<Record<string, readonly string[]>>;

/**
 * The rows of a PostgreSQL, embedded or not; nothing else may have an embedded one open. Sequences are a table of their
 * own, where up to 32 ahead of the rows is the same: so far ahead PostgreSQL writes its log, and a copy of a database
 * in use continues from there, as after a crash.
 */
export async function databaseRows(address: string): Promise<Rows> {
  await using database = await openDatabase(address, { applicationName: "vantage test" });
  const { sql } = database;
  const tables = await sql<{ name: string }[]>`
    SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename`;
  const all: Record<string, string[]> = {};
  for (const { name } of tables) {
    const rows = await sql<
      { line: string }[]
    >`SELECT one::text AS line FROM ${sql(name)} AS one ORDER BY line`;
    all[name] = rows.map(({ line }) => line);
  }
  const sequences = await sql<{ name: string; value: number | null }[]>`
    SELECT sequencename AS name, last_value AS value FROM pg_sequences ORDER BY name`;
  for (const { name, value } of sequences) {
    const [owner] = await sql<{ table: string; column: string }[]>`
      SELECT refobjid::regclass::text AS table, attname AS column FROM pg_depend
      JOIN pg_attribute ON attrelid = refobjid AND attnum = refobjsubid
      WHERE objid = ${name}::text::regclass AND deptype IN ('a', 'i')`;
    const [row] = await sql<{ most: number | null }[]>`
      SELECT max(${sql(owner?.column ?? "")}) AS most FROM ${sql(owner?.table ?? "")}`;
    const ahead = (value ?? 0) - (row?.most ?? 0);
    all[`sequence ${name}`] = [ahead >= 0 && ahead <= aheadMax ? "continues" : `is ${ahead} ahead`];
  }
  return all;
}

/** The rows of an embedded store that does not run: all tables but the list of migrations, which has times. */
export async function storeRows(directory: string): Promise<Rows> {
  await using _process = await Part.start("store", "--dir", directory, "--child");
  await using store = await openStore(`chdb:${directory}`);
  const ask = async <Row>(query: string) =>
    await (await store.client.query({ query, format: "JSONEachRow" })).json<Row>();
  const tables = await ask<{ table: string }>(`SELECT concat(database, '.', name) AS table FROM system.tables
    WHERE database IN ('measure', 'bmp') AND engine LIKE '%MergeTree' AND name != 'migrations' ORDER BY table`);
  const all: Record<string, string[]> = {};
  for (const { table } of tables) {
    const rows = await ask<object>(`SELECT * FROM ${table}`);
    all[table] = rows.map((row) => JSON.stringify(row)).sort();
  }
  return all;
}

const logTables = {
  topic: "SELECT * FROM topic",
  lane: "SELECT * FROM lane",
  // Without expired ones, which go at any time.
  pack: `SELECT id, key, headers, hex(value) AS value, records FROM pack
    WHERE published_at_ms > 1000 * unixepoch() - (SELECT retention_ms FROM topic)`,
  groups: "SELECT * FROM consumer_group",
} as const;

/** Topics of an embedded log with records, offsets and groups; one of an earlier version is brought to ours. */
export async function logRows(folder: string): Promise<Rows> {
  const all: Record<string, string[]> = {};
  await using broker = await openBroker(`embedded:${folder}`);
  for (const topic of loggedTopics(folder)) {
    await broker.positions("test", topic);
    using database = new Sqlite(logFile(folder, topic), { readwrite: true });
    for (const [table, query] of Object.entries(logTables)) {
      const rows = database.query<Record<string, unknown>, []>(query).all();
      all[`${topic} ${table}`] = rows.map((row) => JSON.stringify(row)).sort();
    }
  }
  return all;
}
