/** The options of a discovery's strategy. */
import { type StrategyOptions, strategyOptions } from "../../../../lib/measuring/discovery/strategy.ts";
import type { DiscoverySpec } from "./discover-fields.ts";

/** Throws RangeError that names the option, its value and its range. */
export function optionsOf(spec: DiscoverySpec): StrategyOptions {
  return strategyOptions({
    confidencePercent: spec.confidence,
    ttlMin: spec.ttl_min,
    ttlMax: spec.ttl_max,
    gapLimit: spec.gap_limit,
    splitTtl: spec.split_ttl,
    flowsMax: spec.flows_max,
    // The round after the last one is also computed, though not sent: it shows what is unfinished.
    roundsMax: spec.rounds_max + 1,
    seed: spec.seed,
  });
}
