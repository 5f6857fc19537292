/** Whether a store holds rows itself, or is the front of a cluster (front.ts). */
import type { ColumnStore } from "./open.ts";
import { textLiteral } from "./sql-literals.ts";

/** Databases and tables that programs read. */
export const readTables = [
  ["measure", "replies"],
  ["measure", "replies_rejected"],
  ["measure", "probes"],
  ["measure", "history"],
  ["measure", "history_counted"],
  ["bmp", "updates"],
] as const;

/** The cluster behind a front end; null for a store with rows of its own. */
export async function clusterOf(store: ColumnStore): Promise<string | null> {
  const replies = (await readEngines(store)).find(({ name }) => name === "replies");
  return /^Distributed\('((?:[^'\\]|\\.)*)'/.exec(replies?.engine_full ?? "")?.[1] ?? null;
}

interface TableRow {
  readonly name: string;
  readonly engine: string;
  readonly engine_full: string;
}

/** The engines of those tables that exist. */
export async function readEngines({ client }: ColumnStore): Promise<TableRow[]> {
  const found = await client.query({
    query: `SELECT name, engine, engine_full FROM system.tables
      WHERE (database, name) IN (${readTables.map((names) => `(${names.map(textLiteral).join(", ")})`).join(", ")})`,
    format: "JSONEachRow",
  });
  return await found.json<TableRow>();
}
