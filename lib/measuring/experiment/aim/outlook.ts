/** What a setting makes of goals: measured, or forecast with an interval. Pure. */
import type { Forecast, MeasuredRound } from "./forecast.ts";
import { unknown } from "./forecast.ts";
import type { GoalRange } from "./goals.ts";

/** A share from 0 to 1; 90 % of the explanations are within the interval. */
export interface Share {
  readonly share: number;
  readonly low: number;
  readonly high: number;
}

export interface Outlook {
  /** By goal. */
  readonly shares: readonly Share[];
  /** How likely all goals are met. */
  readonly chance: number;
  /** How far from its goals it is expected to be: the sum of what lies outside of the ranges. */
  readonly loss: number;
}

/** What each group adds to each goal at each site, so that hundreds of settings are compared by sums. */
export class GoalSums {
  readonly #sites: number;
  /** By goal, by group and site: least, and most. */
  readonly #least: readonly Float64Array[];
  readonly #most: readonly Float64Array[];
  readonly #totals: readonly number[];
  readonly #goals: readonly GoalRange[];
  readonly #spread: number;

  constructor(
    goals: readonly GoalRange[],
    { groups, spread }: Pick<Forecast, "groups" | "spread">,
    { sites, weights }: { readonly sites: number; readonly weights: Float64Array },
  ) {
    this.#sites = sites;
    this.#spread = spread;
    this.#goals = goals;
    this.#least = goals.map(() => new Float64Array(groups.length * sites));
    this.#most = goals.map(() => new Float64Array(groups.length * sites));
    this.#totals = goals.map(({ isIn, partOf }, goal) => {
      const [least, most] = [this.#least[goal], this.#most[goal]];
      let total = 0;
      for (const [group, { targets, sites: seen }] of groups.entries()) {
        // A target that never replied counts nowhere.
        const counted = seen.length > 0 && seen.every((site) => site === unknown) ? [] : targets;
        for (const target of counted.filter((one) => isIn[one])) {
          const weight = weights[target] ?? 0;
          total += weight;
          for (let site = 0; site < sites; site++) {
            const [few, many] = partOf(target, site);
            const at = group * sites + site;
            if (least !== undefined && most !== undefined) {
              least[at] = (least[at] ?? 0) + few * weight;
              most[at] = (most[at] ?? 0) + many * weight;
            }
          }
        }
      }
      return total;
    });
  }

  outlook(probabilities: Float64Array): Outlook {
    const shares: Share[] = [];
    let [chance, loss] = [1, 0];
    for (const [goal, { low, high }] of this.#goals.entries()) {
      const { mean, spread, open } = this.#moments(goal, probabilities);
      const within = open + intervalSpreads * Math.hypot(spread, this.#spread);
      shares.push({ share: mean, low: Math.max(0, mean - within), high: Math.min(1, mean + within) });
      const wide = Math.hypot(spread, modelSpread);
      chance *= Math.max(
        0,
        normal((high - mean) / wide + edge(high)) - normal((low - mean) / wide - edge(low)),
      );
      loss += excess(mean - high, wide) + excess(low - mean, wide);
    }
    return { shares, chance, loss };
  }

  /** Whether no goal forbids it, where each group is at one of its possible sites. */
  mayMeet(isPossible: (group: number, site: number) => boolean): boolean {
    return this.#goals.every(({ low, high }, goal) => {
      const [least, most] = [this.#least[goal] ?? [], this.#most[goal] ?? []];
      const total = this.#totals[goal] ?? 0;
      let [smallest, greatest] = [0, 0];
      for (let from = 0; from < least.length; from += this.#sites) {
        let [few, many] = [Number.POSITIVE_INFINITY, 0];
        for (let site = 0; site < this.#sites; site++) {
          if (isPossible(from / this.#sites, site)) {
            few = Math.min(few, least[from + site] ?? 0);
            many = Math.max(many, most[from + site] ?? 0);
          }
        }
        smallest += few === Number.POSITIVE_INFINITY ? 0 : few;
        greatest += many;
      }
      return total === 0 || (smallest <= total * high + rounding && greatest >= total * low - rounding);
    });
  }

  /** `open`: half of what is not known where the site is. */
  #moments(goal: number, probabilities: Float64Array): { mean: number; spread: number; open: number } {
    const [least, most] = [this.#least[goal] ?? [], this.#most[goal] ?? []];
    const total = this.#totals[goal] ?? 0;
    let [sum, variance, open] = [0, 0, 0];
    for (let from = 0; from < least.length; from += this.#sites) {
      let [mean, square] = [0, 0];
      for (let at = from; at < from + this.#sites; at++) {
        const [few, many, chance] = [least[at] ?? 0, most[at] ?? 0, probabilities[at] ?? 0];
        const part = (few + many) / 2;
        mean += chance * part;
        square += chance * part * part;
        open += (chance * (many - few)) / 2;
      }
      sum += mean;
      variance += Math.max(0, square - mean * mean);
    }
    return total === 0
      ? { mean: 0, spread: 0, open: 0 }
      : { mean: sum / total, spread: Math.sqrt(variance) / total, open: open / total };
  }
}

/** 90 % of a normal distribution. */
const intervalSpreads = 1.645;
/** What forecasts are wrong by where all explanations agree. */
const modelSpread = 0.008;
const rounding = 1e-9;

/** A share cannot be below 0 or above 1: there the range has no end. */
function edge(end: number): number {
  return end <= 0 || end >= 1 ? 50 : 0;
}

/** The cumulative normal distribution (Abramowitz and Stegun 26.2.17). */
function normal(x: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(x));
  const tail =
    Math.exp((-x * x) / 2) *
    0.3989422804 *
    t *
    (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return x >= 0 ? 1 - tail : tail;
}

/** The expected part of `over` above 0. */
function excess(over: number, spread: number): number {
  const x = over / spread;
  return over * normal(x) + spread * 0.3989422804 * Math.exp((-x * x) / 2);
}

/** Shares of a measured round; of latency goals, those that are known to be met. */
export function measuredShares(
  goals: readonly GoalRange[],
  { siteOf }: Pick<MeasuredRound, "siteOf">,
  weights: Float64Array,
): { readonly shares: readonly number[]; readonly loss: number } {
  const shares = goals.map(({ isIn, partOf }) => {
    let [sum, total] = [0, 0];
    for (const [target, site] of siteOf.entries()) {
      if (site !== unknown && isIn[target] === true) {
        const [least] = partOf(target, site);
        const weight = weights[target] ?? 0;
        sum += least * weight;
        total += weight;
      }
    }
    return total === 0 ? 0 : sum / total;
  });
  const loss = goals.reduce((sum, { low, high }, goal) => {
    const share = shares[goal] ?? 0;
    return sum + Math.max(0, share - high - rounding, low - share - rounding);
  }, 0);
  return { shares, loss };
}
