/** The specification for a discovery's steps, from the fields of its file. */
import { shapeOf, type TargetFields } from "../target-fields.ts";
import type { Discover, DiscoverySpec } from "./discover-fields.ts";
import { probesMaxMax } from "./limits.ts";

export function specOfDefinition(fields: TargetFields, discover: Discover): DiscoverySpec {
  const { ttlFirst, ttlLast, srcPort, dstPort, protocol } = shapeOf(fields);
  return {
    ...discover,
    probes_max: discover.probes_max ?? probesMaxMax,
    budget_prefixes: discover.budget_prefixes ?? 0,
    ...{ ttl_min: ttlFirst, ttl_max: ttlLast, protocol, src_port: srcPort, dst_port: dstPort },
    seed: fields.seed ?? 0,
  };
}
