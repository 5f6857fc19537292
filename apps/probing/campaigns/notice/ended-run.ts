/** An ended run for evaluation: its request, and what each agent did. */
import type { Sql } from "postgres";
import type { Alerts, DeliveryTarget } from "./alerts-definition.ts";

/** An agent's part of a measurement of the run. */
interface AgentPart {
  readonly measurementId: string;
  readonly agent: string;
  /** Whether it sent everything requested: unsent probes are not lost. */
  readonly hasSent: boolean;
  readonly reason: string;
}

export interface EndedRun {
  readonly campaign_id: string;
  readonly run: number;
  readonly name: string;
  readonly state: "done" | "refused" | "missed";
  readonly reason: string | null;
  readonly planned_at: Date;
  readonly alerts: Alerts;
  readonly deliveries: readonly DeliveryTarget[];
  /** It ended so long ago that no more replies are expected. */
  readonly is_late: boolean;
  readonly parts: readonly AgentPart[];
}

/** Column `parts` of `run`, a row of campaign_runs. */
export function partsOf(sql: Sql) {
  return sql`
    coalesce((
      SELECT jsonb_agg(jsonb_build_object('measurementId', measurement_id, 'agent', agent_id,
        'hasSent', part.status = 'complete' OR part.sent_probes >= part.expected_probes,
        'reason', coalesce(part.error, part.status)) ORDER BY agent_id)
      FROM campaign_steps AS step JOIN measurement_agents AS part USING (measurement_id)
      WHERE (step.campaign_id, step.run) = (run.campaign_id, run.run)
    ), '[]') AS parts`;
}
