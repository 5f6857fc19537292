/** A probing gateway's API responses about agents, without the instances and health details that it adds. */
import * as v from "valibot";

export const agentHealthAnswer = v.object({
  healthy: v.boolean(),
  last_check: v.nullable(v.string()),
  message: v.nullable(v.string()),
  received_at: v.nullable(v.string()),
});

export const agentAnswer = v.object({
  id: v.string(),
  last_seen: v.string(),
  online: v.boolean(),
  paused: v.boolean(),
  location: v.nullable(v.string()),
  country: v.nullable(v.string()),
  asn: v.nullable(v.number()),
  tags: v.array(v.string()),
});
