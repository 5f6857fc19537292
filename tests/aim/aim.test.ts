/**
 * Aims in drawn Internets: forecasts beside routes that were never announced, goals beside exhaustive search. The bench
 * `aim` has the figures of many of them.
 */
import { expect, test } from "bun:test";
import { inTier } from "../run/tier.ts";
import { forecastTrial } from "./forecast-trial.ts";
import { aimTrial, drawnGoals, greedyTrial } from "./goal-trial.ts";
import { furtherMax, Trial } from "./trial.ts";

const seeds = inTier({ usual: [2, 3], long: Array.from({ length: 20 }, (_, i) => i + 1) });
const drawing = (seed: number, sites: number) => ({
  ...{ seed, sites, odd: 0.05 },
  networks: inTier({ usual: 200, long: 400 }),
});

const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

test("after sites + 1 catchments, most targets are forecast right where nothing was announced", () => {
  const withPaths = seeds.map((seed) => forecastTrial(new Trial(drawing(seed, 5), { withPaths: true })));
  expect(meanOf(withPaths.map(({ right }) => right.sites.ordered))).toBeGreaterThan(0.93);
  expect(meanOf(withPaths.map(({ right }) => right.prepends.ordered))).toBeGreaterThan(0.93);
  // What it is sure of is right, and it is sure of most.
  expect(meanOf(withPaths.map(({ sureRight }) => sureRight))).toBeGreaterThan(0.96);
  expect(meanOf(withPaths.map(({ sure }) => sure))).toBeGreaterThan(0.75);
  // The catchments alone tell less.
  const [seed = 1] = seeds;
  const alone = forecastTrial(new Trial(drawing(seed, 5), { withPaths: false }));
  expect(alone.right.prepends.ordered).toBeGreaterThan(0.82);
  expect(alone.sureRight).toBeGreaterThan(0.93);
});

test("goals that can be met are met within two points, and none of them is said to be out of reach", () => {
  let [possible, met, metByPrepends] = [0, 0, 0];
  for (const seed of seeds) {
    const trial = new Trial(drawing(seed, 4), { withPaths: true });
    for (const number of [0, 1, 2]) {
      const goals = trial.goals(drawnGoals(trial, number));
      const { result, rounds, loss } = aimTrial(trial, goals);
      if (trial.canBeMet(goals)) {
        possible++;
        met += result === "met" && loss === 0 && rounds <= 4 + 1 + furtherMax ? 1 : 0;
        metByPrepends += greedyTrial(trial, goals).result === "met" ? 1 : 0;
        expect(result).not.toBe("cannot be met");
      }
    }
  }
  expect(possible).toBeGreaterThan(seeds.length);
  expect(met / possible).toBeGreaterThanOrEqual(0.9);
  expect(met).toBeGreaterThan(metByPrepends);
});

test("goals that contradict each other are out of reach, and said to be so before the changes are used up", () => {
  const trial = new Trial(drawing(1, 4), { withPaths: true });
  const goals = trial.goals(["site0: at least 90 %", "site1: at least 30 %"]);
  expect(trial.canBeMet(goals)).toBe(false);
  const { result, rounds } = aimTrial(trial, goals);
  expect(result).toBe("cannot be met");
  expect(rounds).toBeLessThan(4 + 1 + furtherMax);
});
