/**
 * Aims in drawn Internets: forecasts beside routes that were never announced, goals beside exhaustive search. The bench
 * `aim` has the figures of many of them.
 */
import { expect, test } from "bun:test";
import { inTier } from "../run/tier.ts";
import { forecastTrial } from "./forecast-trial.ts";
import { aimTrial, drawnGoals, greedyTrial } from "./goal-trial.ts";
import { asnOf } from "./routing.ts";
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

test("what a network's preference of its customers forbids is out of reach, and said to be so", () => {
  const trial = new Trial(drawing(6, 3), { withPaths: true });
  const { entries, sites, networks, targets } = trial.internet;
  // Its provider takes the site's own announcement, however long it is.
  const captive = entries.find(
    ({ site, network, relation }) =>
      relation === "customer" &&
      targets.some((target) => target.network === network) &&
      networks[network]?.taste.size === 0 &&
      entries.every((other) => other.network !== network || other.site === site),
  );
  const { site = "", network = 0 } = captive ?? {};
  expect(sites).toContain(site);
  const goals = trial.goals([`none of AS${asnOf(network)} at ${site}`, `${site}: at least 5 %`]);
  expect(trial.canBeMet(goals)).toBe(false);
  expect(aimTrial(trial, goals).result).toBe("cannot be met");
});
