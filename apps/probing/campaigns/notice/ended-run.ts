/** An ended run for evaluation: its request, and what each agent did. */
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
