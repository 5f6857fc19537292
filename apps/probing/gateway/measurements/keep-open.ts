/** Keeps an open measurement open while its user adds probes or reads its events. */
import type { Sql, TransactionSql } from "postgres";
import type { Logger } from "../../../../lib/engines/observe/log.ts";
import { repeatWork } from "../../../../lib/engines/service/repeat-work.ts";
import type { Database } from "../../../../lib/engines/store/postgres/open.ts";
import { openIdleMs, openRenewMs } from "../limits.ts";

/** Without activity of its user until then, an open measurement is closed. */
export function openUntil(sql: Sql | TransactionSql) {
  return sql`now() + ${openIdleMs} * interval '1 millisecond'`;
}

/** Keeps an open measurement open until the signal; its reader may be slow or idle. */
export function keepOpen(
  { database, log }: { readonly database: Database; readonly log: Logger },
  measurementId: string,
  signal: AbortSignal,
): void {
  const renewal = repeatWork({
    look: async () => {
      await renew(database, measurementId);
      return openRenewMs;
    },
    complain: (error) => log.error("Cannot keep a measurement open; trying again", { error }),
    waitMs: openRenewMs,
  });
  signal.addEventListener("abort", () => void renewal[Symbol.asyncDispose](), { once: true });
}

async function renew({ sql, timed }: Database, measurementId: string): Promise<void> {
  await timed(
    "measurement_keep_open",
    () => sql`
      UPDATE measurements SET open_until = ${openUntil(sql)}
      WHERE measurement_id = ${measurementId} AND open_until IS NOT NULL AND ended_at IS NULL`,
  );
}
