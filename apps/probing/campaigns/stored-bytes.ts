/**
 * A user's storage in the database, summed over all kinds: revisions of campaigns with their lists and probes, steps,
 * states of alerts, watched routes, messages, journals of experiments, names of measurements, packet files. All writers
 * lock the user, except for names in submissions: at most some KB for each in progress.
 */
import type { Sql, TransactionSql } from "postgres";
import type { Owned } from "../../../lib/engines/http/owned.ts";
import { Problem, problem } from "../../../lib/engines/http/problem.ts";
import type { Database } from "../../../lib/engines/store/postgres/open.ts";
import { rowOf } from "../../../lib/engines/store/postgres/row-of.ts";
import { rowBytesMin } from "./limits.ts";
import { unknownCampaign } from "./own-campaign.ts";

/** Stored sizes, compressed by PostgreSQL, without reading the values. */
export async function storedBytes(sql: Sql | TransactionSql, userHash: string): Promise<number> {
  const own = sql`SELECT campaign_id FROM campaigns WHERE user_hash = ${userHash}`;
  const row = (size: ReturnType<Sql>) => sql`coalesce(sum(greatest(${rowBytesMin}, ${size})), 0)`;
  const sums = await sql<{ bytes: number }[]>`
    SELECT (
      (SELECT ${row(sql`pg_column_size(definition) + pg_column_size(probes) + coalesce(pg_column_size(targets), 0)`)}
        FROM campaign_revisions WHERE campaign_id IN (${own}))
      + (SELECT coalesce(sum(coalesce(pg_column_size(probes), 0) + coalesce(pg_column_size(given), 0)), 0)
        FROM campaign_steps WHERE campaign_id IN (${own}))
      + (SELECT coalesce(sum(pg_column_size(state)), 0) FROM campaign_series WHERE campaign_id IN (${own}))
      + (SELECT coalesce(sum(pg_column_size(paths)), 0) FROM campaign_routes WHERE campaign_id IN (${own}))
      + (SELECT coalesce(sum(pg_column_size(body)), 0) FROM alert_deliveries WHERE campaign_id IN (${own}))
      + (SELECT ${row(sql`bytes`)} FROM experiments WHERE user_hash = ${userHash})
      + (SELECT coalesce(sum(octet_length(concat(name, note, array_to_string(tags, '')))), 0) FROM measurements
        WHERE user_hash = ${userHash} AND (name IS NOT NULL OR note IS NOT NULL OR tags <> '{}'))
      + (SELECT ${row(sql`size_bytes`)} FROM packet_files JOIN measurements USING (measurement_id)
        WHERE user_hash = ${userHash})
    )::bigint AS bytes`;
  return Number(rowOf(sums).bytes);
}

interface Adding {
  readonly userHash: string;
  readonly bytes: number;
  readonly bytesMax: number;
}

/** Throws Problem 429 `storage_full`. */
export async function checkStored(tx: TransactionSql, { userHash, bytes, bytesMax }: Adding): Promise<void> {
  const used = await storedBytes(tx, userHash);
  if (used + bytes > bytesMax) {
    throw new Problem({
      status: 429,
      code: "storage_full",
      message:
        `This gateway keeps ${used} bytes for you, of at most ${bytesMax}, and this needs ${bytes} more: remove ` +
        "experiments (vantage experiment remove) or ended campaigns (vantage campaign remove)",
      extra: { used, requested: bytes, limit: bytesMax },
    });
  }
}

/**
 * Removes an ended campaign, with its runs, alerts and lists; its measurements stay. Throws Problem: 404, 409 for one
 * that has not ended, or that is public.
 */
export async function removeCampaign({ sql, timed }: Database, { id, userHash }: Owned): Promise<void> {
  await timed("campaign_remove", () =>
    sql.begin(async (tx) => {
      const [row] = await tx<{ phase: string; is_public: boolean }[]>`
        SELECT phase, EXISTS (
          SELECT FROM shares WHERE shares.campaign_id = campaign.campaign_id AND public_at <= now()) AS is_public
        FROM campaigns AS campaign WHERE campaign_id = ${id} AND user_hash = ${userHash} FOR UPDATE`;
      if (row === undefined) {
        throw unknownCampaign();
      }
      if (row.phase !== "ended") {
        throw problem(409, "campaign_not_ended", "Stop the campaign first");
      }
      if (row.is_public) {
        throw problem(409, "already_public", "It is public, and stays so: others may have cited it");
      }
      await tx`DELETE FROM campaigns WHERE campaign_id = ${id}`;
    }),
  );
}
