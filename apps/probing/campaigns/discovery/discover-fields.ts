/**
 * `discover` in a campaign's file: what a run discovers about its targets, round after round.
 *
 *   targets: [192.0.2.0/24, 2001:db8::/48]      routed prefixes and addresses; ttl, protocol, ports, seed as usual
 *   discover: {strategy: shared, confidence: 95, rate: 1000}
 */
import * as v from "valibot";
import { wholeNumber } from "../../../../lib/base/api/fields.ts";
import type { StepGiven } from "../../../../lib/measuring/campaign/run-steps.ts";
import { strategies } from "../../../../lib/measuring/discovery/strategies.ts";
import type { Protocol } from "../../../../lib/net/packet/probe.ts";
import {
  nearTtlDefault,
  nearTtlMax,
  partProbesDefault,
  partProbesMax,
  probesMaxMax,
  rateDefault,
  rateMax,
  roundsDefault,
  roundsMax,
  routerRateDefault,
  routerRateMax,
  settleSecDefault,
  settleSecMax,
  unitsMax,
} from "./limits.ts";

type StrategyName = keyof typeof strategies;
const strategyNames = Object.keys(strategies) as [StrategyName, ...StrategyName[]];

const confidence = v.pipe(
  v.number(),
  v.minValue(50, "must be 50 to 99.99 percent"),
  v.maxValue(99.99, "must be 50 to 99.99 percent"),
);

export const discoverSchema = v.strictObject({
  strategy: v.optional(v.picklist(strategyNames, `must be one of ${strategyNames.join(", ")}`), "shared"),
  confidence: v.optional(confidence, 95),
  rate: v.optional(wholeNumber(1, rateMax), rateDefault),
  router_rate: v.optional(wholeNumber(1, routerRateMax), routerRateDefault),
  near_ttl: v.optional(wholeNumber(0, nearTtlMax), nearTtlDefault),
  rounds_max: v.optional(wholeNumber(1, roundsMax), roundsDefault),
  probes_max: v.optional(wholeNumber(1, probesMaxMax)),
  budget_prefixes: v.optional(wholeNumber(1, unitsMax)),
  part_probes: v.optional(wholeNumber(100, partProbesMax), partProbesDefault),
  settle: v.optional(wholeNumber(1, settleSecMax), settleSecDefault),
  gap_limit: v.optional(wholeNumber(1, 32), 5),
  split_ttl: v.optional(wholeNumber(1, 64), 16),
  flows_max: v.optional(wholeNumber(6, 4351), 1024),
  subnet_ipv4: v.optional(wholeNumber(8, 32), 24),
  subnet_ipv6: v.optional(wholeNumber(16, 128), 64),
});
export type Discover = v.InferOutput<typeof discoverSchema>;

/** The specification in a run's steps: the file's fields, and those of its probes. */
export type DiscoverySpec = Readonly<Omit<Discover, "probes_max" | "budget_prefixes">> & {
  readonly probes_max: number;
  /** Units that each agent probes; 0 = all of them. */
  readonly budget_prefixes: number;
  readonly ttl_min: number;
  readonly ttl_max: number;
  readonly protocol: Protocol;
  readonly src_port: number;
  readonly dst_port: number;
  readonly seed: number;
};

const numbers = [
  ...["confidence", "rate", "router_rate", "rounds_max", "probes_max", "part_probes", "settle", "gap_limit"],
  ...[
    "near_ttl",
    "budget_prefixes",
    "split_ttl",
    "flows_max",
    "subnet_ipv4",
    "subnet_ipv6",
    "ttl_min",
    "ttl_max",
    "src_port",
    "dst_port",
    "seed",
  ],
] as const;

/** Throws RangeError for data that another version has written. */
export function specOf(given: StepGiven | null): DiscoverySpec {
  for (const name of numbers) {
    if (typeof given?.[name] !== "number") {
      throw new RangeError(`The rule is given no number "${name}"`);
    }
  }
  if (!strategyNames.some((name) => name === given?.strategy)) {
    throw new RangeError(`This version has no strategy "${given?.strategy}"`);
  }
  return given as unknown as DiscoverySpec;
}
