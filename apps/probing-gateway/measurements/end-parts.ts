/**
 * Ends agents' parts of measurements before they are complete: one way for cancelling, failing and expiring, so that
 * unsent probes are given back once, to the day they were charged to, and a whole ends with its last part.
 */
import type { TransactionSql } from "postgres";

export interface Ending {
  readonly measurementIds: readonly string[];
  /** Null = all agents. */
  readonly agentId: string | null;
  readonly status: "cancelled" | "failed" | "expired";
  /** For people; null = none. */
  readonly error: string | null;
}

/**
 * Ends the parts that are queued or running, and resolves to how many these were.
 *
 * The measurements are locked first, in one order everywhere: two parts that end at once would else each take the
 * other for unfinished, and the whole would never end.
 */
export async function endParts(tx: TransactionSql, ending: Ending): Promise<number> {
  const ids = ending.measurementIds as string[];
  await tx`
    SELECT FROM measurements WHERE measurement_id = ANY(${ids}::uuid[]) ORDER BY measurement_id FOR UPDATE`;
  if (ids.length > 1) {
    await lockDays(tx, ids);
  }
  const ended = await tx`
    WITH ended AS (
      UPDATE measurement_agents
      SET status = ${ending.status}, error = coalesce(error, ${ending.error}), updated_at = now(),
        credited_probes = greatest(0, expected_probes - sent_probes)
      WHERE measurement_id = ANY(${ids}::uuid[]) AND status IN ('queued', 'running')
        ${ending.agentId === null ? tx`` : tx`AND agent_id = ${ending.agentId}`}
      RETURNING measurement_id, credited_probes
    ), credits AS (
      SELECT user_hash, day, sum(credited_probes) AS probes
      FROM ended JOIN measurements USING (measurement_id) GROUP BY user_hash, day
    ), credited AS (
      UPDATE quota_days AS quota SET credited = quota.credited + credits.probes
      FROM credits WHERE quota.user_hash = credits.user_hash AND quota.day = credits.day
    )
    SELECT FROM ended`;
  if (ended.length > 0) {
    await endWholes(tx, ids);
  }
  return ended.length;
}

/** In one order too: endings of several users' measurements would else wait for each other for ever. */
async function lockDays(tx: TransactionSql, measurementIds: string[]): Promise<void> {
  await tx`
    SELECT FROM quota_days
    WHERE (user_hash, day) IN (
      SELECT user_hash, day FROM measurements WHERE measurement_id = ANY(${measurementIds}::uuid[]))
    ORDER BY user_hash, day FOR UPDATE`;
}

/** Ends the measurements whose parts have all ended. The caller has them locked. */
export async function endWholes(tx: TransactionSql, measurementIds: readonly string[]): Promise<void> {
  await tx`
    UPDATE measurements AS whole
    SET updated_at = now(), ended_at = CASE WHEN EXISTS (
      SELECT FROM measurement_agents AS part
      WHERE part.measurement_id = whole.measurement_id AND part.status IN ('queued', 'running')
    ) THEN NULL ELSE now() END
    WHERE measurement_id = ANY(${measurementIds as string[]}::uuid[]) AND ended_at IS NULL`;
}
