/**
 * Refunds to a day's quota: probes that were charged and will not be sent, and only once that is certain. Else a user
 * could submit and cancel forever, at the broker's and the agents' cost, without using any quota.
 *
 * When a part ends early, its unpublished probes are refunded once its gateway has stopped publishing it. The rest is
 * refunded when the part is settled: its agent reports that it sends no more, or `not_after` has passed, after which
 * agents skip it. Each part stores its refund, so it is made once; an agent that had sent more after all reduces it by
 * the difference.
 */
import type { TransactionSql } from "postgres";

/** Locks the rows that `refundUnsent` changes, measurements first, in one order everywhere. */
export async function lockForRefund(tx: TransactionSql, measurementIds: readonly string[]): Promise<void> {
  const ids = measurementIds as string[];
  await tx`
    SELECT FROM measurements WHERE measurement_id = ANY(${ids}::uuid[]) ORDER BY measurement_id FOR UPDATE`;
  if (ids.length > 1) {
    await lockDays(tx, ids);
  }
}

/** In one order too: else endings of several users' measurements would deadlock. */
async function lockDays(tx: TransactionSql, measurementIds: string[]): Promise<void> {
  await tx`
    SELECT FROM quota_days
    WHERE (user_hash, day) IN (
      SELECT user_hash, day FROM measurements WHERE measurement_id = ANY(${measurementIds}::uuid[]))
    ORDER BY user_hash, day FOR UPDATE`;
}

/** Updates the refunds of these measurements. The caller has locked them. */
export async function refundUnsent(tx: TransactionSql, measurementIds: readonly string[]): Promise<void> {
  await tx`
    WITH due AS (
      SELECT measurement_id, agent_id, whole.user_hash, day, coalesce(credited_probes, 0) AS before,
        CASE
          WHEN settled_at IS NOT NULL THEN unsent
          ELSE least(unsent, unpublished * (expected_probes / all_probes)) END AS probes
      FROM measurements AS whole JOIN measurement_agents AS part USING (measurement_id),
        LATERAL (SELECT greatest(0, expected_probes - sent_probes) AS unsent) AS count,
        LATERAL (
          -- Its own probes, and what was added while it was open.
          SELECT sum(piece.probes)::bigint AS all_probes, coalesce(sum(piece.probes - piece.published_probes)
            FILTER (WHERE piece.publishing_ended_at IS NOT NULL), 0)::bigint AS unpublished
          FROM measurements AS piece
          WHERE piece.measurement_id = whole.measurement_id OR piece.part_of = whole.measurement_id
        ) AS pieces
      WHERE measurement_id = ANY(${measurementIds as string[]}::uuid[])
        AND status IN ('cancelled', 'failed', 'expired')
    ), noted AS (
      UPDATE measurement_agents AS part SET credited_probes = due.probes
      FROM due WHERE part.measurement_id = due.measurement_id AND part.agent_id = due.agent_id
        AND part.credited_probes IS DISTINCT FROM due.probes
    ), days AS (
      SELECT user_hash, day, sum(probes - before) AS probes FROM due
      GROUP BY user_hash, day HAVING sum(probes - before) <> 0
    )
    UPDATE quota_days AS quota SET credited = quota.credited + days.probes
    FROM days WHERE quota.user_hash = days.user_hash AND quota.day = days.day`;
}
