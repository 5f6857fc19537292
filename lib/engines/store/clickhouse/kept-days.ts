/** For how long tables of `measure` keep their rows. */
import type { ColumnStore } from "./open.ts";
import { rowsOf } from "./rows.ts";

/**
 * Days by table; null = no retention is set, as for the front of a cluster. A table that does not exist is left out.
 * Rejects with Failure `store`.
 */
export async function keptDays(
  store: ColumnStore,
  tables: readonly string[],
): Promise<ReadonlyMap<string, number | null>> {
  const sql = `SELECT name, engine_full AS engine FROM system.tables
    WHERE database = 'measure' AND name IN ({tables:Array(String)})`;
  const rows = await Array.fromAsync(
    rowsOf<{ name: string; engine: string }>(store, { sql, params: { tables } }),
  );
  return new Map(
    rows.map(({ name, engine }) => {
      const days = /toIntervalDay\((\d+)\)/.exec(engine)?.[1];
      return [name, days === undefined ? null : Number(days)];
    }),
  );
}
