/** How an aim ends in a drawn Internet, beside a greedy use of prepends. */
import { atOnce } from "../../lib/base/list/steps.ts";
import { drawnSetting } from "../../lib/measuring/experiment/aim/candidates.ts";
import type { Forecast, MeasuredRound } from "../../lib/measuring/experiment/aim/forecast.ts";
import type { GoalRange } from "../../lib/measuring/experiment/aim/goals.ts";
import { type NextSetting, nextSetting } from "../../lib/measuring/experiment/aim/next-setting.ts";
import { measuredShares } from "../../lib/measuring/experiment/aim/outlook.ts";
import { seededRandom } from "../../lib/measuring/experiment/aim/random.ts";
import { furtherMax, type Trial } from "./trial.ts";

interface Ending {
  readonly result: "met" | "cannot be met" | "budget used";
  readonly rounds: number;
  /** Outside of the goals' ranges, in the nearest round. */
  readonly loss: number;
  /** Forecasts for what was announced whose interval holds what was measured. */
  readonly within: number;
  readonly forecasts: number;
}

export function aimTrial(trial: Trial, goals: readonly GoalRange[]): Ending {
  const rounds: MeasuredRound[] = [];
  let before: Forecast | null = null;
  let [within, forecasts] = [0, 0];
  for (;;) {
    const next: NextSetting = atOnce(nextSetting(trial.state(goals, rounds), before));
    if (next.kind === "end") {
      const loss = Math.min(...rounds.map((round) => trial.lossOf(goals, round)));
      return { result: next.result, rounds: rounds.length, loss, within, forecasts };
    }
    before = next.forecast;
    const round = trial.measure(next.setting);
    rounds.push(round);
    const { shares } = measuredShares(goals, round, trial.weights);
    for (const [goal, { low, high }] of next.outlook.shares.entries()) {
      const share = shares[goal] ?? 0;
      forecasts++;
      within += share >= low - 1e-9 && share <= high + 1e-9 ? 1 : 0;
    }
  }
}

/** Prepends alone, a step at a time where a share is too large; as many changes. */
export function greedyTrial(trial: Trial, goals: readonly GoalRange[]): Ending {
  const setting = new Int8Array(trial.levers.entries.length);
  const most = trial.internet.sites.length + 1 + furtherMax;
  let least = Number.POSITIVE_INFINITY;
  for (let count = 1; count <= most; count++) {
    const round = trial.measure(Int8Array.from(setting));
    least = Math.min(least, trial.lossOf(goals, round));
    if (least === 0) {
      return { result: "met", rounds: count, loss: 0, within: 0, forecasts: 0 };
    }
    const { shares } = measuredShares(goals, round, trial.weights);
    for (const [goal, { site, low, high }] of goals.entries()) {
      const share = shares[goal] ?? 0;
      if (site !== null && share > high) {
        setting[site] = Math.min(3, (setting[site] ?? 0) + 1);
      } else if (site !== null && share < low) {
        lift(setting, site);
      }
    }
  }
  return { result: "budget used", rounds: most, loss: least, within: 0, forecasts: 0 };
}

function lift(setting: Int8Array, site: number): void {
  if ((setting[site] ?? 0) > 0) {
    setting[site] = (setting[site] ?? 0) - 1;
    return;
  }
  for (const other of setting.keys()) {
    if (other !== site) {
      setting[other] = Math.min(3, (setting[other] ?? 0) + 1);
    }
  }
}

/** One or two sites' shares: those of some setting (they can be met), or any. */
export function drawnGoals(trial: Trial, number: number): string[] {
  const random = seededRandom(trial.seed * 91 + number);
  const { sites } = trial.internet;
  const first = (number + trial.seed) % sites.length;
  const named = random() < 0.5 ? [first] : [first, (first + 1) % sites.length];
  const truth = trial.truth(drawnSetting(trial.levers, random));
  const isPossible = random() < 0.7;
  return named.map((site) => {
    const share = truth.filter((one) => one === site).length / truth.length;
    const wanted = isPossible ? share : (10 + random() * 60) / named.length / 100;
    return `${sites[site]}: ${Math.round(100 * wanted)} %`;
  });
}
