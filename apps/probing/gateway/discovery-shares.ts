/** A discovery's prefixes by agent, and its previous run, in the gateway's database. */
import type { Database } from "../../../lib/engines/store/postgres/open.ts";
import { PrefixSet } from "../../../lib/measuring/discovery/prefix-set.ts";
import type { RoundMeasure } from "../campaigns/discovery/round-measure.ts";

export function discoveryShares({
  sql,
  timed,
}: Database): Pick<RoundMeasure, "runBefore" | "shares" | "keepShares"> {
  return {
    runBefore: async ({ campaign_id, run }) => {
      const rows = await timed(
        "discovery_run_before",
        () => sql<{ id: string }[]>`
          SELECT measurement_id::text AS id FROM campaign_steps
          WHERE campaign_id = ${campaign_id} AND measurement_id IS NOT NULL AND run = (
            SELECT max(run) FROM campaign_steps
            WHERE campaign_id = ${campaign_id} AND run < ${run} AND measurement_id IS NOT NULL)
          ORDER BY step`,
      );
      return rows.map(({ id }) => id);
    },
    shares: async ({ campaign_id, run }, agent) => {
      const rows = await timed(
        "discovery_shares",
        () => sql<{ agent: string; units: Uint8Array }[]>`
          SELECT agent, units FROM discovery_shares
          WHERE campaign_id = ${campaign_id} AND run = ${run} ${agent === null ? sql`` : sql`AND agent = ${agent}`}`,
      );
      return new Map(rows.map(({ agent: name, units }) => [name, units]));
    },
    keepShares: async ({ campaign_id, run }, shares) => {
      await timed("discovery_keep_shares", () =>
        sql.begin(async (tx) => {
          // Locks the run's row, so that only one gateway decides.
          await tx`SELECT FROM campaign_runs WHERE campaign_id = ${campaign_id} AND run = ${run} FOR UPDATE`;
          const [known] = await tx`
            SELECT FROM discovery_shares WHERE campaign_id = ${campaign_id} AND run = ${run} LIMIT 1`;
          for (const [agent, units] of known === undefined ? shares : []) {
            await tx`
              INSERT INTO discovery_shares (campaign_id, run, agent, prefixes, units)
              VALUES (${campaign_id}, ${run}, ${agent}, ${new PrefixSet(units).size}, ${units})`;
          }
        }),
      );
    },
  };
}
