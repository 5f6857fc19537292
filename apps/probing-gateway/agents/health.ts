/**
 * Stores an agent's health report, and answers with its orders: one statement, because thousands report each second.
 */
import type { Sql } from "postgres";
import type { DesiredConfig } from "../../../lib/probing/agent-config.ts";
import type { HealthReport } from "../../../lib/probing/agent-report.ts";
import { cancelledMax, reportIntervalDefaultMs } from "../../../lib/probing/limits.ts";
import type { Database } from "../../../lib/store/postgres/open.ts";
import { cancelledAgeHoursMax } from "../limits.ts";

interface Orders {
  readonly checked_at: Date;
  readonly config_version: number;
  readonly desired: DesiredConfig;
  readonly paused: boolean;
  readonly killed: boolean;
  readonly cancelled: readonly string[];
  readonly pending_prefixes: readonly string[];
  /** The reported state has changed. */
  readonly has_changed: boolean;
}

/** Null = no such agent, or it has not registered. */
export async function takeHealth(
  database: Database,
  agentId: string,
  report: HealthReport,
): Promise<Orders | null> {
  const [orders] = await database.timed("agent_health", () => statement(database.sql, agentId, report));
  return orders ?? null;
}

/**
 * The measurements to stop are those that ended before their agent was done, while the broker may still deliver their
 * records: until `not_after`, and ten minutes for clocks that differ. Only the newest are looked at, so the cost is
 * bounded.
 */
function statement(sql: Sql, agentId: string, { healthy, last_check, message, details }: HealthReport) {
  const checkedAt = last_check === undefined ? null : new Date(last_check);
  return sql<Orders[]>`
    WITH before AS (
      SELECT agent_id, healthy FROM agents
      WHERE agent_id = ${agentId} AND registered_at IS NOT NULL AND retired_at IS NULL
    ), reported AS (
      UPDATE agents SET
        healthy = ${healthy},
        health_checked_at = coalesce(${checkedAt}, now()),
        health_received_at = now(),
        last_seen_at = now(),
        health_message = ${message},
        health_details = ${details === undefined ? null : sql.json(details)},
        report_interval_ms = ${details?.report_interval_ms ?? reportIntervalDefaultMs}
      FROM before WHERE agents.agent_id = before.agent_id
      RETURNING health_checked_at, config_version, desired, paused, pending_prefixes,
        before.healthy IS DISTINCT FROM ${healthy} AS has_changed
    ), stopped AS (
      SELECT measurement_id FROM measurement_agents
      WHERE agent_id = ${agentId} AND status IN ('cancelled', 'expired', 'failed')
        AND updated_at > now() - ${cancelledAgeHoursMax} * interval '1 hour'
      ORDER BY updated_at DESC LIMIT ${cancelledMax}
    )
    SELECT health_checked_at AS checked_at, config_version, desired, paused, has_changed, pending_prefixes,
      killed_at IS NOT NULL AS killed, ARRAY(
        SELECT measurement_id::text FROM stopped JOIN measurements USING (measurement_id)
        WHERE not_after > now() - interval '10 minutes'
      ) AS cancelled
    FROM reported, platform`;
}
