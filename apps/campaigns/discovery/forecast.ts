/** What a discovery will do, before it does anything. */

import type { discoveryForecast } from "../../../lib/api/discoveries.ts";
import type { StoredAnswer } from "../../../lib/api/stored-answer.ts";
import { strategies } from "../../../lib/discovery/strategies.ts";
import type { DiscoverySpec } from "./discover-fields.ts";
import { probesMaxRounds } from "./limits.ts";
import { optionsOf } from "./strategy-of-spec.ts";
import type { UnitTable } from "./units.ts";

/** Probes of the first round of a unit: they depend on how many subnets it has, and on nothing else. */
export class FirstRounds {
  readonly #spec: DiscoverySpec;
  readonly #probes = new Map<number, number>();

  constructor(spec: DiscoverySpec) {
    this.#spec = spec;
  }

  probesOf(subnets: number): number {
    const known = this.#probes.get(subnets);
    if (known !== undefined) {
      return known;
    }
    const unit = { subnets: Array.from({ length: subnets }, (_, subnet) => subnet), round: 0 };
    const probes = strategies[this.#spec.strategy].next([], unit, optionsOf(this.#spec)).length;
    this.#probes.set(subnets, probes);
    return probes;
  }
}

interface ForecastOrder {
  readonly spec: DiscoverySpec;
  readonly table: UnitTable;
  readonly agents: number;
  readonly quota: number;
  /** Null = nobody has said. */
  readonly probesMax: number | null;
}

export function forecastOf({
  spec,
  table,
  agents,
  quota,
  probesMax,
}: ForecastOrder): StoredAnswer<typeof discoveryForecast> {
  const first = new FirstRounds(spec);
  let [probes, subnets] = [0, 0];
  for (let at = 0; at < table.size; at++) {
    const unit = table.at(at);
    probes += first.probesOf(unit.subnets);
    subnets += unit.subnets;
  }
  const most = probesMax ?? Math.min(quota, probesMaxRounds * probes * agents);
  const { rate, settle, rounds_max, router_rate, strategy } = spec;
  return {
    ...{ agents, strategy, prefixes: table.size, subnets, contained: table.contained },
    probes_first_round: probes * agents,
    probes_max: most,
    quota_per_day: quota,
    quota_share: quota === 0 ? 0 : most / quota,
    ...{ rounds_max, rate, router_rate },
    first_round_sec: Math.ceil(probes / rate) + settle,
    longest_sec: Math.ceil(most / Math.max(1, agents) / rate) + rounds_max * settle,
  };
}
