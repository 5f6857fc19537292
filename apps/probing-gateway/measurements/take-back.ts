/**
 * Takes back what was given back too much: an agent that is told to stop has sent probes that it had not yet reported
 * when its part ended, and says so a moment later.
 */
import type { Database } from "../../../lib/store/postgres/open.ts";

/** Of one agent's part that ended unfinished. Harmless when there is nothing to take back. */
export async function takeBackCredit(
  { sql, timed }: Database,
  agentId: string,
  measurementId: string,
): Promise<void> {
  await timed("credit_take_back", () =>
    sql.begin(async (tx) => {
      await tx`SELECT FROM measurements WHERE measurement_id = ${measurementId} FOR UPDATE`;
      await tx`
        WITH late AS (
          SELECT measurement_id, agent_id, greatest(0, expected_probes - sent_probes) AS unsent, credited_probes
          FROM measurement_agents WHERE measurement_id = ${measurementId} AND agent_id = ${agentId}
            AND credited_probes > greatest(0, expected_probes - sent_probes)
        ), corrected AS (
          UPDATE measurement_agents AS part SET credited_probes = late.unsent
          FROM late WHERE part.measurement_id = late.measurement_id AND part.agent_id = late.agent_id
        )
        UPDATE quota_days AS quota SET credited = quota.credited - (late.credited_probes - late.unsent)
        FROM late JOIN measurements AS whole USING (measurement_id)
        WHERE quota.user_hash = whole.user_hash AND quota.day = whole.day`;
    }),
  );
}
