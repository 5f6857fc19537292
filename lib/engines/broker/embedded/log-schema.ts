/**
 * The tables of one topic's file, and how a file becomes a log.
 *
 * A row of records has the id `partition << 48 | offset` of its last one: the rows of a partition are adjacent, in the
 * order of their offsets, and no index is needed beside them. So offsets end at 2^48 (89 years of 100,000 records a
 * second).
 *
 *   topic           one row: partitions, retention_ms
 *   lane            a row for each partition: `next_offset`, which outlives the records
 *   pack            id, published_at_ms, key, headers (JSON object), value, records: how many; the value of more than
 *                   one is in the form of record-pack.ts
 *   consumer_group  a row for each group and partition: `committed`, NULL before the first commit
 */
import type { Database } from "bun:sqlite";
import type { Topic } from "../broker.ts";

/** `PRAGMA user_version` of a file that is ready; 0 is an incomplete file. */
export const schemaVersion = 2;
/** Marks the file for `file(1)` and for us: "VanL". */
const applicationId = 0x56616e4c;
/** Probe records have 48 kB: larger pages make shorter chains. 4, 16 and 32 KiB were measured. */
const pageBytes = 16 * 1024;

const tables = [
  `CREATE TABLE topic (partitions INTEGER NOT NULL, retention_ms INTEGER NOT NULL) STRICT`,
  `CREATE TABLE lane (partition INTEGER PRIMARY KEY, next_offset INTEGER NOT NULL) STRICT`,
  `CREATE TABLE pack (
     id INTEGER PRIMARY KEY, published_at_ms INTEGER NOT NULL, key TEXT NOT NULL, headers TEXT NOT NULL,
     value BLOB NOT NULL, records INTEGER NOT NULL DEFAULT 1) STRICT`,
  `CREATE TABLE consumer_group (
     name TEXT NOT NULL, partition INTEGER NOT NULL, committed INTEGER,
     PRIMARY KEY (name, partition)) STRICT, WITHOUT ROWID`,
];

/** Must precede the first table; WAL lets readers continue while one process writes. */
export function prepareFile(database: Database): void {
  database.run(`PRAGMA page_size = ${pageBytes}`);
  database.run("PRAGMA journal_mode = WAL");
}

/** Call inside a transaction; leaves a file that is already a log unchanged. */
export function createTables(database: Database, topic: Topic): void {
  if (versionOf(database) !== 0) {
    return;
  }
  for (const table of tables) {
    database.run(table);
  }
  database.run("INSERT INTO topic VALUES (?, ?)", [topic.partitions, topic.retentionMs]);
  const insertPartition = database.prepare("INSERT INTO lane VALUES (?, 0)");
  for (let partition = 0; partition < topic.partitions; partition++) {
    insertPartition.run(partition);
  }
  insertPartition.finalize();
  database.run(`PRAGMA application_id = ${applicationId}`);
  database.run(`PRAGMA user_version = ${schemaVersion}`);
}

/**
 * Migrates a log of version 1, with one record per row; call inside a transaction. No row is rewritten. A program of
 * that version that still has the log open fails on the new name, as it would take a pack for a record.
 */
export function upgradeTables(database: Database): void {
  if (versionOf(database) === 1) {
    database.run("ALTER TABLE record RENAME TO pack");
    database.run("ALTER TABLE pack ADD COLUMN records INTEGER NOT NULL DEFAULT 1");
    database.run(`PRAGMA user_version = ${schemaVersion}`);
  }
}

export function versionOf(database: Database): number {
  return database.query<{ user_version: number }, []>("PRAGMA user_version").get()?.user_version ?? 0;
}
