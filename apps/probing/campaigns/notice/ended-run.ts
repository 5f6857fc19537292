/** A run that is over, as it is looked at: what was asked for, and what each agent did of it. */
import type { Alerts, DeliveryTarget } from "./alerts-definition.ts";

/** An agent's part of a measurement of the run. */
interface AgentPart {
  readonly measurementId: string;
  readonly agent: string;
  /** All of what it was asked to: what it did not send is not lost. */
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
  /** It ended so long ago that its answers are not waited for any more. */
  readonly is_late: boolean;
  readonly parts: readonly AgentPart[];
}
