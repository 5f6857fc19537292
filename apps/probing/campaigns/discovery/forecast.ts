/** Forecasts what a discovery will send. */
import type { discoveryForecast } from "../../../../lib/base/api/discoveries.ts";
import type { StoredAnswer } from "../../../../lib/base/api/stored-answer.ts";
import { inTurns, type Pace } from "../../../../lib/engines/http/pace.ts";
import { strategies } from "../../../../lib/measuring/discovery/strategies.ts";
import type { AllowedRanges } from "../../../../lib/measuring/probing/forbidden-ranges.ts";
import { allowedUnits } from "./allowed-units.ts";
import type { DiscoverySpec } from "./discover-fields.ts";
import { optionsOf } from "./strategy-of-spec.ts";
import type { UnitTable } from "./units.ts";

/** A unit's first round, which depends only on its number of subnets. */
export class FirstRounds {
  readonly #spec: DiscoverySpec;
  readonly #ttls = new Map<number, Uint8Array>();

  constructor(spec: DiscoverySpec) {
    this.#spec = spec;
  }

  probesOf(subnets: number): number {
    return this.ttlsOf(subnets).length;
  }

  /** The TTL of each probe. */
  ttlsOf(subnets: number): Uint8Array {
    const known = this.#ttls.get(subnets);
    if (known !== undefined) {
      return known;
    }
    if (subnets === 0) {
      return new Uint8Array(0);
    }
    const unit = { subnets: Array.from({ length: subnets }, (_, subnet) => subnet), round: 0 };
    const probes = strategies[this.#spec.strategy].next([], unit, optionsOf(this.#spec));
    const ttls = Uint8Array.from(probes, ({ ttl }) => ttl);
    this.#ttls.set(subnets, ttls);
    return ttls;
  }
}

/** Seconds in which an agent sends the first round, by its own rate and the limit of the routers near it. */
function firstRoundSec(
  { rate, router_rate: routerRate, near_ttl: nearTtl }: DiscoverySpec,
  probesOfTtl: Float64Array,
): number {
  const probes = probesOfTtl.reduce((sum, one) => sum + one, 0);
  const nearest = probesOfTtl.subarray(0, nearTtl + 1).reduce((most, one) => Math.max(most, one), 0);
  return Math.max(Math.ceil(probes / rate), Math.ceil(nearest / routerRate));
}

/**
 * A whole run's probes per subnet, from the simulator (`tests/discovery/simulator`): 25 routed prefixes of 8 /24s
 * behind five transit networks ("three levels"), a confidence of 95, seeds 1 to 5; a test there recomputes them.
 */
export const probesPerSubnet = { shared: 139, "diamond-miner": 351, mda: 284, paris: 13 } as const;

function expectedProbes(strategy: keyof typeof probesPerSubnet, subnets: number): number {
  return probesPerSubnet[strategy] * subnets;
}

interface ForecastOrder {
  readonly spec: DiscoverySpec;
  readonly table: UnitTable;
  readonly allowed: AllowedRanges;
  readonly agents: number;
  readonly quota: number;
  /** Null = limited by the quota only. */
  readonly probesMax: number | null;
}

/** Millions of entries take seconds, so it yields to other work. Rejects as the pace does. */
export async function forecastOf(
  { spec, table, allowed, agents, quota, probesMax }: ForecastOrder,
  pace: Pace,
): Promise<StoredAnswer<typeof discoveryForecast>> {
  const first = new FirstRounds(spec);
  const { unitsOfSize, leftOutSubnets, reasons } = await inTurns(allowedUnits(table, allowed), pace);
  const each = spec.budget_prefixes === 0 ? table.size : Math.min(spec.budget_prefixes, table.size);
  const share = table.size === 0 ? 1 : each / table.size;
  const probesOfTtl = new Float64Array(256);
  for (const [subnets, units] of unitsOfSize) {
    for (const ttl of first.ttlsOf(subnets)) {
      probesOfTtl[ttl] = (probesOfTtl[ttl] ?? 0) + units * share;
    }
  }
  const probes = Math.round(probesOfTtl.reduce((sum, one) => sum + one, 0));
  const most = probesMax ?? quota;
  const { rate, settle, rounds_max, router_rate, strategy } = spec;
  return {
    ...{ agents, strategy, prefixes: table.size, subnets: table.subnets, contained: table.contained },
    ...{ prefixes_each: each, prefixes_left: Math.max(0, table.size - agents * each) },
    ...{ left_out_subnets: leftOutSubnets, left_out: reasons },
    probes_first_round: probes * agents,
    probes_expected: Math.ceil(agents * share * expectedProbes(strategy, table.subnets - leftOutSubnets)),
    probes_max: most,
    quota_per_day: quota,
    quota_share: quota === 0 ? 0 : most / quota,
    ...{ rounds_max, rate, router_rate },
    first_round_sec: firstRoundSec(spec, probesOfTtl) + settle,
    longest_sec: Math.ceil(most / Math.max(1, agents) / rate) + rounds_max * settle,
  };
}
