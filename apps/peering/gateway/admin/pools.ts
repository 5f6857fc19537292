/** Usage of the pools. */
import type { Database } from "../../../../lib/engines/store/postgres/open.ts";

interface PoolsView {
  readonly asns: { readonly total: number; readonly assigned: number; readonly free: number };
  readonly prefixes: {
    readonly total: number;
    readonly leased: number;
    /** Formerly leased, not yet free for others. */
    readonly cooling_down: number;
    readonly free: number;
  };
}

interface Counts {
  readonly asn_total: number;
  readonly asn_assigned: number;
  readonly prefix_total: number;
  readonly leased: number;
  readonly cooling_down: number;
}

/** ASNs and prefixes of the current pools; those of earlier pools are not counted. */
export async function readPools({ sql, timed }: Database): Promise<PoolsView> {
  const [counts] = await timed(
    "admin_pools",
    () => sql<Counts[]>`
      WITH clock AS MATERIALIZED (SELECT vantage_now() AS now)
      SELECT
        (SELECT coalesce(sum(last_asn - first_asn + 1), 0) FROM asn_ranges)::bigint AS asn_total,
        (SELECT count(*) FROM users JOIN asn_ranges ON asn BETWEEN first_asn AND last_asn) AS asn_assigned,
        (SELECT coalesce(sum(last_number - first_number + 1), 0) FROM pool_runs)::bigint AS prefix_total,
        (SELECT count(*) FROM pool_prefixes, clock WHERE in_pool AND free_at > now) AS leased,
        (SELECT count(*) FROM pool_prefixes, clock
          WHERE in_pool AND free_at <= now AND held_until > now) AS cooling_down`,
  );
  const { asn_total = 0, asn_assigned = 0, prefix_total = 0, leased = 0, cooling_down = 0 } = counts ?? {};
  return {
    asns: { total: asn_total, assigned: asn_assigned, free: asn_total - asn_assigned },
    prefixes: {
      total: prefix_total,
      leased,
      cooling_down,
      free: prefix_total - leased - cooling_down,
    },
  };
}
