/** Responses of the agent API and the public lists of agents, for the OpenAPI document. */
import * as v from "valibot";
import { agentAnswer, agentHealthAnswer } from "../../../../lib/base/api/agents.ts";
import { agentConfigSchema, agentIdSchema } from "../../../../lib/measuring/probing/agent-config.ts";
import { agentDetailsSchema } from "../../../../lib/measuring/probing/agent-report.ts";
import { plainText } from "../../../../lib/measuring/probing/plain-text.ts";
import { secretCharsMax } from "../limits.ts";

export const registrationSchema = v.object({
  id: agentIdSchema,
  secret: v.pipe(plainText(secretCharsMax), v.nonEmpty("must not be empty")),
});

export const healthSchema = v.object({
  ...agentHealthAnswer.entries,
  details: v.optional(v.nullable(agentDetailsSchema)),
});

export const agentSchema = v.object({
  ...v.pick(agentAnswer, ["id"]).entries,
  config: v.nullable(agentConfigSchema),
  health: v.nullable(healthSchema),
  ...agentAnswer.entries,
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
