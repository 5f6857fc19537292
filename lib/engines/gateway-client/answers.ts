/** The members of the gateway's answers that the commands use. Other members are ignored. */
import * as v from "valibot";
import { agentAnswer, agentHealthAnswer } from "../../base/api/agents.ts";
import {
  cancellationAnswer,
  measurementAnswer,
  measurementPartAnswer,
  originAnswer,
  rejectedAgent,
  selectionAnswer,
} from "../../base/api/measurements.ts";
import { meAnswer } from "../../base/api/users.ts";

const time = v.nullable(v.pipe(v.string(), v.isoTimestamp("is not a time")));

export const meSchema = v.object({
  ...meAnswer.entries,
  last_submitted: v.nullable(v.string()),
  /** Missing in other gateways' responses. */
  user_hash: v.optional(v.nullable(v.string()), null),
  name: v.optional(v.nullable(v.string()), null),
});

/** A member that other gateways may leave out. */
function orNull<Schema extends v.GenericSchema>(schema: Schema) {
  return v.optional(v.nullable(schema), null);
}

const instanceSchema = v.object({
  name: v.optional(v.nullable(v.string()), ""),
  src_ipv4_prefix: orNull(v.string()),
  src_ipv6_prefix: orNull(v.string()),
  probing_rate: orNull(v.number()),
});

const agent = agentAnswer.entries;
const health = agentHealthAnswer.entries;

export const agentSchema = v.object({
  id: agent.id,
  config: orNull(v.array(instanceSchema)),
  health: orNull(v.object({ healthy: health.healthy, message: orNull(health.message) })),
  last_seen: orNull(agent.last_seen),
  online: orNull(agent.online),
  paused: orNull(agent.paused),
  held_by_host: orNull(v.string()),
  location: orNull(agent.location),
  country: orNull(agent.country),
  asn: orNull(agent.asn),
  tags: orNull(agent.tags),
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
  /** Gateways of earlier versions leave these out. */
  title: orNull(v.string()),
  name: orNull(v.string()),
  tags: v.optional(v.array(v.string()), []),
  note: orNull(v.string()),
  origin: orNull(v.pick(originAnswer, ["kind", "text", "campaign_id", "run", "round"])),
  folded_runs: orNull(v.number()),
});
export type Measurement = v.InferOutput<typeof measurementSchema>;

const measurementAgentSchema = v.object({
  ...v.pick(measurementPartAnswer, ["agent_id", "expected_probes", "sent_probes"]).entries,
  ...v.pick(measurementPartAnswer, ["is_complete", "cancelled"]).entries,
  status: v.optional(v.string()),
  received_replies: v.optional(v.number(), 0),
  failed_probes: v.optional(v.number(), 0),
  held_probes: v.optional(v.number(), 0),
  error: orNull(v.string()),
  held_by_host: orNull(v.string()),
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
  agents: v.array(v.object({ id: v.string(), ip_address: orNull(v.string()) })),
  rejected: v.optional(v.array(rejectedSchema), []),
  selections: v.optional(v.array(selectionAnswer), []),
});
export type Submitted = v.InferOutput<typeof submittedSchema>;

export const cancelledSchema = v.object({
  ...v.pick(cancellationAnswer, ["cancelled", "agents_cancelled", "message"]).entries,
  measurement_id: v.string(),
});
