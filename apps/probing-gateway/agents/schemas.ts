/** Answers of the agent API and of the public lists of agents, for the OpenAPI document. */
import * as v from "valibot";
import { agentConfigSchema, agentIdSchema } from "../../../lib/probing/agent-config.ts";
import { agentDetailsSchema } from "../../../lib/probing/agent-report.ts";
import { plainText } from "../../../lib/probing/plain-text.ts";
import { secretCharsMax } from "../limits.ts";

export const registrationSchema = v.object({
  id: agentIdSchema,
  secret: v.pipe(plainText(secretCharsMax), v.nonEmpty("must not be empty")),
});

export const healthSchema = v.object({
  healthy: v.boolean(),
  last_check: v.nullable(v.string()),
  message: v.nullable(v.string()),
  received_at: v.nullable(v.string()),
  details: v.optional(v.nullable(agentDetailsSchema)),
});

export const agentSchema = v.object({
  id: v.string(),
  config: v.nullable(agentConfigSchema),
  health: v.nullable(healthSchema),
  last_seen: v.string(),
  online: v.boolean(),
  paused: v.boolean(),
  location: v.nullable(v.string()),
  country: v.nullable(v.string()),
  asn: v.nullable(v.number()),
  tags: v.array(v.string()),
});

export const registeredSchema = v.object({ ...agentSchema.entries, agent_key: v.optional(v.string()) });

export const progressAnswerSchema = v.object({
  measurement_id: v.string(),
  agent_id: v.string(),
  sent_probes: v.number(),
  is_complete: v.boolean(),
  status: v.picklist(["queued", "running", "complete", "cancelled", "failed", "expired", "unknown"]),
  updated_at: v.nullable(v.string()),
});
