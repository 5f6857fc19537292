/**
 * Stores agents' health reports, and responds to each with its orders. Concurrent reports share a statement, because
 * thousands of agents report each second.
 */
import { Together } from "../../../../lib/engines/service/together.ts";
import type { Database } from "../../../../lib/engines/store/postgres/open.ts";
import type { DesiredConfig } from "../../../../lib/measuring/probing/agent-config.ts";
import type { HealthReport } from "../../../../lib/measuring/probing/agent-report.ts";
import { cancelledMax, reportIntervalDefaultMs } from "../../../../lib/measuring/probing/limits.ts";
import { cancelledAgeHoursMax, sharedAsksMax } from "../limits.ts";

interface Asked {
  readonly agentId: string;
  readonly report: HealthReport;
}

interface Orders {
  readonly agent_id: string;
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

export class HealthReports {
  readonly #together: Together<Asked, Orders | null>;

  constructor(database: Database) {
    this.#together = new Together({
      asksMax: sharedAsksMax,
      // So that an agent whose row is locked does not hold up all others.
      underWayMax: 2,
      answer: async (asks) => {
        const orders = await database.timed("agent_health", () => statement(database, asks));
        const byAgent = new Map(orders.map((order) => [order.agent_id, order]));
        return ({ agentId }) => byAgent.get(agentId) ?? null;
      },
    });
  }

  /** Null = no such agent, or it has not registered. */
  take(agentId: string, report: HealthReport): Promise<Orders | null> {
    return this.#together.ask({ agentId, report });
  }
}

/**
 * The measurements to stop are those that ended before their agent was done, while the broker may still deliver their
 * records: until `not_after`, and ten minutes for clocks that differ. Only the newest are read, so the cost is bounded.
 * Agents are locked in one order: else two statements with the same ones would deadlock.
 */
function statement({ sql }: Database, asks: readonly Asked[]): PromiseLike<Orders[]> {
  // An agent's newest report if it has sent several.
  const rows = new Map(asks.map(({ agentId, report }) => [agentId, rowOf(agentId, report)]));
  return sql<Orders[]>`
    WITH asked AS (
      SELECT * FROM jsonb_to_recordset(${sql.json([...rows.values()])}) AS report (
        agent_id text, healthy boolean, checked_at timestamptz, message text, details jsonb,
        report_interval_ms integer)
    ), before AS (
      SELECT agent_id, healthy FROM agents
      WHERE agent_id = ANY(${[...rows.keys()]}) AND registered_at IS NOT NULL AND retired_at IS NULL
      ORDER BY agent_id FOR NO KEY UPDATE
    ), reported AS (
      UPDATE agents SET
        healthy = asked.healthy,
        health_checked_at = coalesce(asked.checked_at, now()),
        health_received_at = now(),
        last_seen_at = now(),
        health_message = asked.message,
        health_details = asked.details,
        report_interval_ms = asked.report_interval_ms
      FROM before JOIN asked USING (agent_id) WHERE agents.agent_id = before.agent_id
      RETURNING agents.agent_id, health_checked_at, config_version, desired, paused, pending_prefixes,
        before.healthy IS DISTINCT FROM asked.healthy AS has_changed
    )
    SELECT agent_id, health_checked_at AS checked_at, config_version, desired, paused, has_changed, pending_prefixes,
      killed_at IS NOT NULL AS killed, ARRAY(
        SELECT measurement_id::text FROM (
          SELECT measurement_id FROM measurement_agents AS part
          WHERE part.agent_id = reported.agent_id
            AND stopped_at > now() - ${cancelledAgeHoursMax} * interval '1 hour'
          ORDER BY stopped_at DESC LIMIT ${cancelledMax}
        ) AS stopped JOIN measurements USING (measurement_id)
        WHERE not_after > now() - interval '10 minutes'
      ) AS cancelled
    FROM reported, platform`;
}

/** The names are those of the statement. */
function rowOf(agent_id: string, { healthy, last_check, message, details }: HealthReport) {
  return {
    ...{ agent_id, healthy, message },
    checked_at: last_check === undefined ? null : new Date(last_check).toISOString(),
    details: details ?? null,
    report_interval_ms: details?.report_interval_ms ?? reportIntervalDefaultMs,
  };
}
