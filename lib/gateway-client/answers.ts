/** The members of the gateway's answers that the commands use. Other members are ignored. */
import * as v from "valibot";

const time = v.nullable(v.pipe(v.string(), v.isoTimestamp("is not a time")));

export const meSchema = v.object({
  user_id: v.number(),
  submission_count: v.number(),
  last_submitted: v.nullable(v.string()),
  used: v.number(),
  limit: v.number(),
});

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
  asn: v.optional(v.nullable(v.number()), null),
  tags: v.optional(v.nullable(v.array(v.string())), null),
});
export type Agent = v.InferOutput<typeof agentSchema>;

export const measurementSchema = v.object({
  measurement_id: v.string(),
  /** Ours: `queued`, `running`, `complete`, `cancelled`, `failed` or `expired`. */
  status: v.optional(v.string()),
  total_agents: v.number(),
  completed_agents: v.number(),
  total_expected_probes: v.number(),
  total_sent_probes: v.number(),
  measurement_complete: v.boolean(),
  measurement_cancelled: v.boolean(),
  started_at: time,
  last_updated: time,
  finished_early: v.optional(v.boolean(), false),
});
export type Measurement = v.InferOutput<typeof measurementSchema>;

const measurementAgentSchema = v.object({
  agent_id: v.string(),
  status: v.optional(v.string()),
  expected_probes: v.number(),
  sent_probes: v.number(),
  is_complete: v.boolean(),
  cancelled: v.boolean(),
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

export const submittedSchema = v.object({
  id: v.string(),
  probes: v.number(),
  agents: v.array(v.object({ id: v.string(), ip_address: v.optional(v.nullable(v.string()), null) })),
  rejected: v.optional(v.array(v.object({ id: v.string(), reason: v.string() })), []),
});
export type Submitted = v.InferOutput<typeof submittedSchema>;

export const cancelledSchema = v.object({
  measurement_id: v.string(),
  cancelled: v.boolean(),
  agents_cancelled: v.number(),
  message: v.string(),
});
