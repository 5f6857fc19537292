/**
 * What an aim does next: announce the setting from which most is learned, then the one that is likeliest to meet the
 * goals; or end, because they are met, cannot be met, or no changes are left. Pure, and the same at each gateway.
 */
import type { Steps } from "../../../base/list/steps.ts";
import { allSettings, drawnSetting, type Levers, nearSettings } from "./candidates.ts";
import { Forecast, type MeasuredRound } from "./forecast.ts";
import type { GoalRange } from "./goals.ts";
import type { MapTable } from "./map-table.ts";
import { GoalSums, measuredShares, type Outlook } from "./outlook.ts";
import { compared, possibleSites } from "./possible-sites.ts";
import { seededRandom } from "./random.ts";
import { isSameSetting, type Setting } from "./setting.ts";

export interface AimState {
  readonly levers: Levers;
  readonly sites: readonly string[];
  readonly goals: readonly GoalRange[];
  readonly weights: Float64Array;
  readonly asns: readonly (number | null)[];
  readonly map: MapTable | null;
  /** From another experiment with the prefix: knowledge that uses up none of the changes. */
  readonly earlier: readonly MeasuredRound[];
  readonly rounds: readonly MeasuredRound[];
  readonly changesMax: number;
  readonly seed: number;
}

export type NextSetting =
  | {
      readonly kind: "announce";
      readonly setting: Setting;
      /** `learn`: where explanations differ most. `try`: likeliest to meet the goals. */
      readonly why: "learn" | "try";
      readonly outlook: Outlook;
      readonly forecast: Forecast;
    }
  | {
      readonly kind: "end";
      readonly result: "met" | "cannot be met" | "budget used";
      /** Index of the round that is nearest to the goals; null = none was measured. */
      readonly nearest: number | null;
      /** The text of a goal that no setting meets; null = not together. */
      readonly forbidden: string | null;
    };

const pooledMax = 400;
/** Chance of meeting the goals above which learning does not come first. */
const likelyChance = 0.6;
/** Chance below which it is checked whether goals can be met at all. */
const hopelessChance = 0.02;
const climbs = 4;

/** `before`: the forecast of the rounds before the last one. */
export function* nextSetting(state: AimState, before: Forecast | null): Steps<NextSetting> {
  const { rounds, changesMax, levers, sites } = state;
  const nearest = nearestRound(state);
  if (nearest !== null && nearest.loss === 0) {
    return { kind: "end", result: "met", nearest: nearest.round, forbidden: null };
  }
  if (rounds.length >= changesMax) {
    return { kind: "end", result: "budget used", nearest: nearest?.round ?? null, forbidden: null };
  }
  const known = [...state.earlier, ...rounds];
  const forecast = yield* Forecast.of({ ...state, rounds: known, entries: levers.entries, before });
  const sums = new GoalSums(state.goals, forecast, { sites: sites.length, weights: state.weights });
  if (known.length === 0) {
    const setting = new Int8Array(levers.entries.length);
    const outlook = sums.outlook(forecast.probabilities(setting));
    return { kind: "announce", setting, why: "learn", outlook, forecast };
  }
  const rated = yield* rate(state, forecast, sums);
  const best = leastOf(rated, ({ outlook }) => outlook.loss);
  if (best === null) {
    return { kind: "end", result: "budget used", nearest: nearest?.round ?? null, forbidden: null };
  }
  const isLearning = known.length <= sites.length;
  if (best.outlook.chance < hopelessChance) {
    const open = yield* stillPossible(state, forecast, sums);
    if (open !== null && open.length === 0) {
      const forbidden = yield* firstForbidden(state, forecast);
      return { kind: "end", result: "cannot be met", nearest: nearest?.round ?? null, forbidden };
    }
    if (open !== null && !isLearning) {
      const hoped = leastOf(
        open.map((setting) => ratedSetting(setting, forecast, sums)),
        ({ outlook }) => outlook.loss,
      );
      return hoped === null ? tryOf(best, forecast) : tryOf(hoped, forecast);
    }
  }
  if (isLearning && best.outlook.chance < likelyChance) {
    const teaching = leastOf(rated, ({ doubt }) => -doubt) ?? best;
    return { kind: "announce", ...teaching, why: "learn", forecast };
  }
  return tryOf(best, forecast);
}

function tryOf({ setting, outlook }: Rated, forecast: Forecast): NextSetting {
  return { kind: "announce", setting, outlook, why: "try", forecast };
}

interface Rated {
  readonly setting: Setting;
  readonly outlook: Outlook;
  /** Weight of the targets whose site is uncertain: what a measurement teaches, in nats. */
  readonly doubt: number;
}

function* rate(state: AimState, forecast: Forecast, sums: GoalSums): Steps<Rated[]> {
  const { levers, rounds, seed } = state;
  const random = seededRandom(seed);
  const all = allSettings(levers);
  const isNew = (setting: Setting) => !rounds.some((round) => isSameSetting(round.setting, setting));
  const drawn =
    all !== null && all.length <= pooledMax
      ? all
      : Array.from({ length: pooledMax }, () => drawnSetting(levers, random));
  const rated = new Map<string, Rated>();
  let waiting = drawn;
  for (let climb = 0; climb <= climbs; climb++) {
    for (const setting of waiting) {
      if (isNew(setting) && !rated.has(setting.join())) {
        rated.set(setting.join(), ratedSetting(setting, forecast, sums));
        yield;
      }
    }
    const best = [...rated.values()].sort((a, b) => a.outlook.loss - b.outlook.loss).slice(0, 3);
    waiting = drawn === all ? [] : best.flatMap(({ setting }) => nearSettings(levers, setting));
  }
  return [...rated.values()];
}

function ratedSetting(setting: Setting, forecast: Forecast, sums: GoalSums): Rated {
  const probabilities = forecast.probabilities(setting);
  return { setting, outlook: sums.outlook(probabilities), doubt: doubtOf(forecast, probabilities) };
}

function doubtOf({ groups }: Forecast, probabilities: Float64Array): number {
  const sites = probabilities.length / groups.length;
  let doubt = 0;
  for (const [group, { weight }] of groups.entries()) {
    for (let at = group * sites; at < (group + 1) * sites; at++) {
      const chance = probabilities[at] ?? 0;
      doubt -= chance > 0 ? weight * chance * Math.log(chance) : 0;
    }
  }
  return doubt;
}

function leastOf<Of>(all: readonly Of[], by: (one: Of) => number): Of | null {
  let [best, least]: [Of | null, number] = [null, Number.POSITIVE_INFINITY];
  for (const one of all) {
    const value = by(one);
    if (value < least) {
      [best, least] = [one, value];
    }
  }
  return best;
}

function nearestRound({ rounds, goals, weights }: AimState): { round: number; loss: number } | null {
  const losses = rounds.map((round, index) => ({
    round: index,
    loss: measuredShares(goals, round, weights).loss,
  }));
  return leastOf(losses, ({ loss }) => loss);
}

/** Settings that the rounds do not rule out; null = too many to check. */
function* stillPossible(state: AimState, forecast: Forecast, sums: GoalSums): Steps<Setting[] | null> {
  const { levers, sites } = state;
  const rounds = [...state.earlier, ...state.rounds];
  const all = allSettings(levers);
  if (all === null) {
    return null;
  }
  const entriesOf = sites.map((site) =>
    [...levers.entries.keys()].filter((entry) => levers.entries[entry]?.site === site),
  );
  const known = compared(entriesOf, rounds);
  const open: Setting[] = [];
  for (const setting of all) {
    const bits = forecast.groups.map((group) => possibleSites(known, group, setting));
    const isMeasured = state.rounds.some((round) => isSameSetting(round.setting, setting));
    if (!isMeasured && sums.mayMeet((group, site) => ((bits[group] ?? 0) >> site) % 2 === 1)) {
      open.push(setting);
    }
    yield;
  }
  return open;
}

function* firstForbidden(state: AimState, forecast: Forecast): Steps<string | null> {
  for (const goal of state.goals) {
    const sums = new GoalSums([goal], forecast, { sites: state.sites.length, weights: state.weights });
    const open = yield* stillPossible(state, forecast, sums);
    const isMet = state.rounds.some((round) => measuredShares([goal], round, state.weights).loss === 0);
    if (open !== null && open.length === 0 && !isMet) {
      return goal.text;
    }
  }
  return null;
}
