/** Where to find what this gateway stores about one user, besides the user's own row. */
import type { UserSelection } from "../../../../lib/engines/store/clickhouse/user-rows.ts";
import type { Database } from "../../../../lib/engines/store/postgres/open.ts";
import { parsePrefix } from "../../../../lib/net/ip/prefix.ts";

interface OwnedRow {
  readonly ids: readonly string[];
  readonly sources: readonly string[];
  readonly until: Date | null;
}

export interface OwnedData {
  /** In the column store. */
  readonly selection: UserSelection;
  /** Until then agents may have sent, or the broker accepted, some of it; null = there was nothing. */
  readonly lastSentAt: Date | null;
}

/** IPv6 sources only: all users of an agent share its IPv4 source, so only a measurement identifies the user. */
export async function ownedData({ sql, timed }: Database, hash: string): Promise<OwnedData> {
  const [row] = await timed(
    "user_data",
    () => sql<OwnedRow[]>`
      SELECT
        ARRAY(SELECT measurement_id::text FROM measurements WHERE user_hash = ${hash} ORDER BY started_at) AS ids,
        ARRAY(
          SELECT user_prefix::text FROM user_prefixes WHERE user_hash = ${hash} AND family(user_prefix) = 6
          UNION
          SELECT host(source_address) FROM measurement_targets JOIN measurements USING (measurement_id)
          WHERE user_hash = ${hash} AND family(source_address) = 6
        ) AS sources,
        (SELECT max(least(not_after, coalesce(ended_at, not_after))) FROM measurements
          WHERE user_hash = ${hash}) AS until`,
  );
  const { ids = [], sources = [], until = null } = row ?? {};
  return {
    selection: { measurementIds: ids, sources: sources.flatMap((text) => parsePrefix(text) ?? []) },
    lastSentAt: until,
  };
}
