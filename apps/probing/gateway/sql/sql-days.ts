/** A user's SQL of the UTC day: queries, and the time that the column store has worked for them. */
import type { Database } from "../../../../lib/engines/store/postgres/open.ts";

interface SqlDay {
  readonly queries: number;
  readonly used_ms: number;
  readonly day_ends_in_sec: number;
}

export async function sqlDayOf({ sql, timed }: Database, userHash: string): Promise<SqlDay> {
  const [row] = await timed(
    "sql_day",
    () => sql<SqlDay[]>`
      SELECT coalesce(queries, 0)::bigint AS queries, coalesce(used_ms, 0)::bigint AS used_ms,
        ceil(extract(epoch FROM (today + 1)::timestamp AT TIME ZONE 'UTC' - now()))::integer AS day_ends_in_sec
      FROM (SELECT (now() AT TIME ZONE 'UTC')::date) AS clock (today)
        LEFT JOIN sql_days ON day = today AND user_hash = ${userHash}`,
  );
  return row ?? { queries: 0, used_ms: 0, day_ends_in_sec: 0 };
}

export async function chargeSqlDay(
  { sql, timed }: Database,
  userHash: string,
  usedMs: number,
): Promise<void> {
  await timed(
    "sql_charge",
    () => sql`
      INSERT INTO sql_days AS spent (user_hash, day, queries, used_ms)
      VALUES (${userHash}, (now() AT TIME ZONE 'UTC')::date, 1, ${Math.ceil(usedMs)})
      ON CONFLICT (user_hash, day) DO UPDATE
      SET queries = spent.queries + 1, used_ms = spent.used_ms + excluded.used_ms`,
  );
}
