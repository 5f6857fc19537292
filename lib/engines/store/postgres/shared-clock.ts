/** The database's clock, for times that several gateways write into one record. */
import type { Database } from "./open.ts";
import { rowOf } from "./row-of.ts";

const samples = 3;

/**
 * Its time in whole milliseconds since 1970, from ours and the offset measured now: known to half of a query's time.
 * Rejects as a query does.
 */
export async function sharedClock({ sql, timed }: Pick<Database, "sql" | "timed">): Promise<() => number> {
  let best = { tookMs: Number.POSITIVE_INFINITY, offsetMs: 0 };
  for (let i = 0; i < samples; i++) {
    const [askedMs, startedMs] = [Date.now(), performance.now()];
    const rows = await timed(
      "shared_clock",
      () => sql<{ now_ms: number }[]>`
        SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now_ms`,
    );
    const tookMs = performance.now() - startedMs;
    if (tookMs < best.tookMs) {
      best = { tookMs, offsetMs: rowOf(rows).now_ms - (askedMs + tookMs / 2) };
    }
  }
  const { offsetMs } = best;
  return () => Math.round(Date.now() + offsetMs);
}
