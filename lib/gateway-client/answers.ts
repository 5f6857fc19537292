/** The members of the gateway's answers that the commands use. Other members are ignored. */
import * as v from "valibot";
import {
  cancellationAnswer,
  measurementAnswer,
  measurementPartAnswer,
  rejectedAgent,
  selectionAnswer,
} from "../api/measurements.ts";
import { meAnswer } from "../api/users.ts";

const time = v.nullable(v.pipe(v.string(), v.isoTimestamp("is not a time")));

export const meSchema = v.object({ ...meAnswer.entries, last_submitted: v.nullable(v.string()) });

const instanceSchema = v.object({
  name: v.optional(v.nullable(v.string()), ""),
  src_ipv4_prefix: v.optional(v.nullable(v.string()), null),
  src_ipv6_prefix: v.optional(v.nullable(v.string()), null),
  probing_rate: v.optional(v.nullable(v.number()), null),
});

export const agentSchema = v.object({
  id: v.string(),
  config: v.optional(v.nullable(v.array(instanceSchema)), null),
  health: v.optional(
    v.nullable(v.object({ healthy: v.boolean(), message: v.optional(v.nullable(v.string()), null) })),
    null,
  ),
  last_seen: v.optional(v.nullable(v.string()), null),
  online: v.optional(v.nullable(v.boolean()), null),
  location: v.optional(v.nullable(v.string()), null),
  country: v.optional(v.nullable(v.string()), null),
  asn: v.optional(v.nullable(v.number()), null),
  tags: v.optional(v.nullable(v.array(v.string())), null),
});
export type Agent = v.InferOutput<typeof agentSchema>;

export const measurementSchema = v.object({
  ...v.pick(measurementAnswer, ["total_agents", "completed_agents"]).entries,
  ...v.pick(measurementAnswer, ["total_expected_probes", "total_sent_probes"]).entries,
  ...v.pick(measurementAnswer, ["measurement_complete", "measurement_cancelled"]).entries,
  measurement_id: v.string(),
  /** Ours: `queued`, `running`, `complete`, `cancelled`, `failed` or `expired`. */
  status: v.optional(v.string()),
  started_at: time,
  last_updated: time,
  finished_early: v.optional(v.boolean(), false),
});
export type Measurement = v.InferOutput<typeof measurementSchema>;

const measurementAgentSchema = v.object({
  ...v.pick(measurementPartAnswer, ["agent_id", "expected_probes", "sent_probes"]).entries,
  ...v.pick(measurementPartAnswer, ["is_complete", "cancelled"]).entries,
  status: v.optional(v.string()),
  received_replies: v.optional(v.number(), 0),
  failed_probes: v.optional(v.number(), 0),
  held_probes: v.optional(v.number(), 0),
  error: v.optional(v.nullable(v.string()), null),
  updated_at: time,
});
export type MeasurementAgent = v.InferOutput<typeof measurementAgentSchema>;

export const measurementStatusSchema = v.object({
  ...measurementSchema.entries,
  agents: v.array(measurementAgentSchema),
});
export type MeasurementStatus = v.InferOutput<typeof measurementStatusSchema>;

export const rejectedSchema = v.pick(rejectedAgent, ["id", "reason"]);

export const submittedSchema = v.object({
  id: v.string(),
  probes: v.number(),
  agents: v.array(v.object({ id: v.string(), ip_address: v.optional(v.nullable(v.string()), null) })),
  rejected: v.optional(v.array(rejectedSchema), []),
  selections: v.optional(v.array(selectionAnswer), []),
});
export type Submitted = v.InferOutput<typeof submittedSchema>;

export const cancelledSchema = v.object({
  ...v.pick(cancellationAnswer, ["cancelled", "agents_cancelled", "message"]).entries,
  measurement_id: v.string(),
});
