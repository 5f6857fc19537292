/** The tables with rows of a column store, and their days. */
import { createHash } from "node:crypto";
import { cannot } from "../../../lib/command/command/command-error.ts";
import type { ColumnStore } from "../../../lib/engines/store/clickhouse/open.ts";
import { rowsOf } from "../../../lib/engines/store/clickhouse/rows.ts";
import { textLiteral } from "../../../lib/engines/store/clickhouse/sql-literals.ts";

/** Qualified. Without what is made again: `migrations` by a restore, `readable`, which lasts an hour, by a gateway. */
export async function rowTables(store: ColumnStore): Promise<string[]> {
  const sql = `SELECT concat(database, '.', name) AS table FROM system.tables
    WHERE database IN ('measure', 'bmp') AND engine LIKE '%MergeTree' AND name NOT IN ('migrations', 'readable')
    ORDER BY table`;
  return (await found<{ table: string }>(store, sql)).map(({ table }) => table);
}

function found<Row>(store: ColumnStore, sql: string): Promise<Row[]> {
  return Array.fromAsync(rowsOf<Row>(store, { sql, params: {} }));
}

interface DayState {
  readonly day: string;
  /** Changes with any file of the day: rows that are added, merged, erased. */
  readonly state: string;
}

/** Oldest first. Rejects with CommandError for a table that is not partitioned by day. */
export async function daysOf(store: ColumnStore, table: string): Promise<DayState[]> {
  const sql = `SELECT partition AS day, arraySort(groupArray(hash_of_all_files)) AS hashes FROM system.parts
    WHERE concat(database, '.', table) = ${textLiteral(table)} AND active GROUP BY day ORDER BY day`;
  return (await found<{ day: string; hashes: string[] }>(store, sql)).map(({ day, hashes }) => {
    if (!/^\d{4}-\d\d-\d\d$/.test(day)) {
      throw cannot(`Cannot back up table ${table}: it has a partition ${day}, which is not a day`);
    }
    return { day, state: createHash("sha256").update(hashes.join("\n")).digest("hex") };
  });
}

/** Without those that are computed from others. */
export async function columnNamesOf(store: ColumnStore, table: string): Promise<string[]> {
  const sql = `SELECT name FROM system.columns WHERE concat(database, '.', table) = ${textLiteral(table)}
    AND default_kind NOT IN ('ALIAS', 'MATERIALIZED') ORDER BY position`;
  return (await found<{ name: string }>(store, sql)).map(({ name }) => name);
}

/** What follows FROM: of rows with versions only the newest ones, as an insert of several stores one. */
export async function rowsFrom(store: ColumnStore, table: string): Promise<string> {
  const sql = `SELECT engine FROM system.tables WHERE concat(database, '.', name) = ${textLiteral(table)}`;
  const [known] = await found<{ engine: string }>(store, sql);
  return known?.engine.startsWith("Replacing") === true ? `${table} FINAL` : table;
}

export async function countRows(store: ColumnStore, table: string): Promise<number> {
  const sql = `SELECT toString(count()) AS rows FROM ${await rowsFrom(store, table)}`;
  const [row] = await found<{ rows: string }>(store, sql);
  return Number(row?.rows);
}
