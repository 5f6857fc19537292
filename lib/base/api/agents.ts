/** A probing gateway's API responses about agents, without the instances and health details that it adds. */
import * as v from "valibot";

/** Null for agents that are offline. */
export const heldByHost = v.pipe(
  v.nullable(v.string()),
  v.description('Why the host of the agent does not let it send, as "paused by its host"; null = it does'),
);

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
  held_by_host: heldByHost,
  location: v.nullable(v.string()),
  country: v.nullable(v.string()),
  asn: v.nullable(v.number()),
  tags: v.array(v.string()),
});
