/** What is forecast for settings that were never announced, beside the truth in a drawn Internet. */
import { atOnce } from "../../lib/base/list/steps.ts";
import { drawnSetting } from "../../lib/measuring/experiment/aim/candidates.ts";
import { Forecast, type MeasuredRound } from "../../lib/measuring/experiment/aim/forecast.ts";
import { type NextSetting, nextSetting } from "../../lib/measuring/experiment/aim/next-setting.ts";
import { seededRandom } from "../../lib/measuring/experiment/aim/random.ts";
import { type Setting, withdrawn } from "../../lib/measuring/experiment/aim/setting.ts";
import type { Trial } from "./trial.ts";

type Kind = "sites" | "prepends" | "both";

interface Forecasting {
  /** By kind of setting: share of targets forecast right, of those with a total order, and of all. */
  readonly right: Readonly<Record<Kind, { readonly ordered: number; readonly all: number }>>;
  /** Among targets with a total order: forecast with at least 90 %, and the share of those that were right. */
  readonly sure: number;
  readonly sureRight: number;
  /** Share of targets with a total order. */
  readonly ordered: number;
}

const neverAnnounced = 40;

/** After sites + 1 catchments, in settings that were not announced. */
export function forecastTrial(trial: Trial): Forecasting {
  const { sites, targets } = trial.internet;
  // Of an AS without targets: nothing is tried, the planner only learns.
  const goals = trial.goals([`${sites[0]}: 50 % of AS 1`]);
  const rounds: MeasuredRound[] = [];
  let forecast: Forecast | null = null;
  while (rounds.length <= sites.length) {
    const next: NextSetting = atOnce(nextSetting(trial.state(goals, rounds), forecast));
    if (next.kind === "end") {
      throw new Error(`The planner ends: ${next.result}`);
    }
    forecast = next.forecast;
    rounds.push(trial.measure(next.setting));
  }
  const state = trial.state(goals, rounds);
  const last = atOnce(Forecast.of({ ...state, entries: trial.levers.entries, before: forecast }));
  const isOrdered = totallyOrdered(trial);
  const right = { sites: countRight(), prepends: countRight(), both: countRight() };
  const sure = { of: 0, count: 0, right: 0 };
  for (const kind of ["sites", "prepends", "both"] as const) {
    for (const setting of unannounced(trial, kind, rounds)) {
      const truth = trial.truth(setting);
      const chances = last.probabilities(setting);
      for (const [group, { targets: own }] of last.groups.entries()) {
        const row = chances.subarray(group * sites.length, (group + 1) * sites.length);
        const most = Math.max(...row);
        for (const target of own) {
          const isRight = row.indexOf(most) === truth[target];
          add(right[kind], isRight, isOrdered[target] === true);
          if (isOrdered[target] === true) {
            sure.of++;
            sure.count += most >= 0.9 ? 1 : 0;
            sure.right += most >= 0.9 && isRight ? 1 : 0;
          }
        }
      }
    }
  }
  return {
    right: { sites: sharesOf(right.sites), prepends: sharesOf(right.prepends), both: sharesOf(right.both) },
    sure: sure.count / sure.of,
    sureRight: sure.right / sure.count,
    ordered: isOrdered.filter(Boolean).length / targets.length,
  };
}

function countRight() {
  return { all: 0, allRight: 0, ordered: 0, orderedRight: 0 };
}

function add(count: ReturnType<typeof countRight>, isRight: boolean, isOrdered: boolean): void {
  count.all++;
  count.allRight += isRight ? 1 : 0;
  count.ordered += isOrdered ? 1 : 0;
  count.orderedRight += isOrdered && isRight ? 1 : 0;
}

function sharesOf({ all, allRight, ordered, orderedRight }: ReturnType<typeof countRight>) {
  return { all: allRight / all, ordered: orderedRight / ordered };
}

function unannounced(trial: Trial, kind: Kind, rounds: readonly MeasuredRound[]): Setting[] {
  const random = seededRandom(trial.seed * 1000 + kind.length);
  const levers = {
    ...trial.levers,
    prependsMax: kind === "sites" ? 0 : trial.levers.prependsMax,
    mayWithdraw: kind !== "prepends",
  };
  const known = new Set(rounds.map(({ setting }) => setting.join()));
  const drawn = Array.from({ length: 4 * neverAnnounced }, () => drawnSetting(levers, random));
  return drawn.filter((setting) => !known.has(setting.join())).slice(0, neverAnnounced);
}

/** Whether differences of prepends explain all that a target does: no sites beat each other in a circle. */
function totallyOrdered(trial: Trial): boolean[] {
  const { sites, targets } = trial.internet;
  const random = seededRandom(trial.seed * 5);
  const subsets = Array.from({ length: 2 ** sites.length - 1 }, (_, i) =>
    Int8Array.from(sites, (_site, site) => (((i + 1) >> site) % 2 === 1 ? 0 : withdrawn)),
  );
  const settings = [...subsets, ...Array.from({ length: 100 }, () => drawnSetting(trial.levers, random))];
  const truths = settings.map((setting) => trial.truth(setting));
  return targets.map((_, target) => {
    const beats = sites.map(() => sites.map(() => Number.NEGATIVE_INFINITY));
    for (const [i, setting] of settings.entries()) {
      const site = truths[i]?.[target] ?? -1;
      for (const [other, level] of setting.entries()) {
        const row = beats[site];
        if (row !== undefined && other !== site && level !== withdrawn) {
          row[other] = Math.max(row[other] ?? 0, (setting[site] ?? 0) - level);
        }
      }
    }
    return !hasCircle(beats);
  });
}

function hasCircle(beats: number[][]): boolean {
  for (const [middle, through] of beats.entries()) {
    for (const row of beats) {
      for (const [to, way] of through.entries()) {
        row[to] = Math.max(row[to] ?? 0, (row[middle] ?? 0) + way);
      }
    }
  }
  return beats.some((row, site) => (row[site] ?? -1) >= 0);
}
