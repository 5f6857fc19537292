/** A single discovery as requested by a user: a campaign of one run, which starts at once. */
import * as v from "valibot";
import { type Definition, definitionFields, definitionSchema } from "./definition.ts";
import { discoverSchema } from "./discovery/discover-fields.ts";

const { name, agents, targets, protocol, ttl, src_port, dst_port, seed } = definitionFields;

export const discoveryBody = v.strictObject({
  name: v.optional(name),
  agents,
  targets: v.nonOptional(targets, "must be a list of addresses and prefixes"),
  ...{ protocol, ttl, src_port, dst_port, seed },
  discover: v.optional(discoverSchema, {}),
});

/** The default name is the time; paused before its start, it starts when it is resumed (`once`). */
export function definitionOfDiscovery(given: v.InferOutput<typeof discoveryBody>, now: Date): Definition {
  const stamp = now.toISOString().replace("T", " ").replace("Z", "");
  return v.parse(definitionSchema, {
    ...{ every: 86_400, max_runs: 1, slip: 3600, on_missed: "once" },
    ...given,
    name: given.name ?? `discovery ${stamp}`,
  });
}
