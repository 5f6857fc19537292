/** What PostgreSQL counts of its work, in full: rows read, rows changed. */
import type { Database } from "../../lib/engines/store/postgres/open.ts";

/** Statements at once for each connection, so that none is left out. */
const shares = 4;

/** Makes each connection of the pool report its counts, which it does by itself only within seconds (PostgreSQL 15). */
export async function flushStatistics({ sql }: Database): Promise<void> {
  const all = Array.from({ length: shares * sql.options.max });
  await Promise.all(all.map(() => sql`SELECT pg_stat_force_next_flush(), pg_sleep(0.05)`));
}
