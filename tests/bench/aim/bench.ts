/** Aims in drawn Internets: forecasts beside the truth, and goals beside exhaustive search and prepends alone. */
import { forecastTrial } from "../../aim/forecast-trial.ts";
import { aimTrial, drawnGoals, greedyTrial } from "../../aim/goal-trial.ts";
import { furtherMax, Trial } from "../../aim/trial.ts";
import type { BenchOptions } from "../options.ts";
import type { BenchReport } from "../report.ts";

/** With the usual five rounds 20 Internets of each number of sites. */
const seedsEach = 4;
const [forecastSites, goalSites] = [5, 4];
const goalsEach = 2;
const networksUsual = 400;

type Values = Map<string, number[]>;

interface Figures {
  readonly sites: Values;
  readonly prepends: Values;
  readonly both: Values;
  readonly sure: Values;
  readonly sureRight: Values;
  readonly met: Values;
  readonly further: Values;
  readonly within: Values;
}

/** `--count`: networks of each Internet. */
export async function benchAim(options: BenchOptions, _folder: string): Promise<BenchReport> {
  const seeds = options.rounds * (options.count === null ? seedsEach : 1);
  const values = (): Values => new Map();
  const figures: Figures = {
    ...{ sites: values(), prepends: values(), both: values(), sure: values(), sureRight: values() },
    ...{ met: values(), further: values(), within: values() },
  };
  const counts = { possible: 0, impossible: 0, proved: 0, wrong: 0, ordered: [] as number[] };
  for (let seed = 1; seed <= seeds; seed++) {
    const drawing = { seed, networks: options.count ?? networksUsual, odd: 0.05 };
    for (const withPaths of [true, false]) {
      const subject = `${forecastSites} sites, ${withPaths ? "paths and catchments" : "catchments alone"}`;
      forecast(new Trial({ ...drawing, sites: forecastSites }, { withPaths }), subject, figures, counts);
    }
    // The exhaustive search announces 369 times with four sites, and 2,101 times with five.
    meetGoals(new Trial({ ...drawing, sites: goalSites }, { withPaths: true }), figures, counts);
    process.stderr.write(`Internet ${seed} of ${seeds}\n`);
  }
  return report(figures, counts, seeds);
}

type Counts = { possible: number; impossible: number; proved: number; wrong: number; ordered: number[] };

function forecast(trial: Trial, subject: string, figures: Figures, counts: Counts): void {
  const { right, sure, sureRight, ordered } = forecastTrial(trial);
  counts.ordered.push(100 * ordered);
  add(figures.sites, subject, 100 * right.sites.ordered);
  add(figures.prepends, subject, 100 * right.prepends.ordered);
  add(figures.both, subject, 100 * right.both.ordered);
  add(figures.sure, subject, 100 * sure);
  add(figures.sureRight, subject, 100 * sureRight);
}

function meetGoals(trial: Trial, figures: Figures, counts: Counts): void {
  const sites = trial.internet.sites.length;
  const [subject, greedy] = [`${sites} sites, aims`, `${sites} sites, prepends alone, greedy`];
  let [possible, met, greedyMet, within, forecasts] = [0, 0, 0, 0, 0];
  for (let number = 0; number < goalsEach; number++) {
    const goals = trial.goals(drawnGoals(trial, number));
    const canBeMet = trial.canBeMet(goals);
    const end = aimTrial(trial, goals);
    within += end.within;
    forecasts += end.forecasts;
    if (!canBeMet) {
      counts.impossible++;
      counts.proved += end.result === "cannot be met" ? 1 : 0;
      continue;
    }
    possible++;
    counts.wrong += end.result === "cannot be met" ? 1 : 0;
    if (end.result === "met") {
      met++;
      add(figures.further, subject, Math.max(0, end.rounds - sites - 1));
    }
    greedyMet += greedyTrial(trial, goals).result === "met" ? 1 : 0;
  }
  counts.possible += possible;
  add(figures.within, subject, (100 * within) / forecasts);
  if (possible > 0) {
    add(figures.met, subject, (100 * met) / possible);
    add(figures.met, greedy, (100 * greedyMet) / possible);
  }
}

function add(values: Values, subject: string, value: number): void {
  values.set(subject, [...(values.get(subject) ?? []), value]);
}

function report(figures: Figures, counts: Counts, seeds: number): BenchReport {
  const { ordered, possible, impossible, proved, wrong } = counts;
  const meanOf = (all: readonly number[]) =>
    all.reduce((sum, value) => sum + value, 0) / Math.max(1, all.length);
  const means = [...figures.both].map(([subject, own]) => {
    const [sites = [], prepends = []] = [figures.sites.get(subject), figures.prepends.get(subject)];
    const shown = [sites, prepends, own].map((all) => meanOf(all).toFixed(1)).join(", ");
    return `${subject}: on average ${shown} % right (sites, prepends, both).`;
  });
  const metMeans = [...figures.met].map(([subject, own]) => `${subject} ${meanOf(own).toFixed(1)} %`);
  const figure = (unit: string, rounds: Values, decimals = 1) => ({ unit, decimals, rounds });
  return {
    bench: "aim",
    what: `Aims in drawn Internets, after sites + 1 catchments, median of ${seeds} (seeds 1 to ${seeds})`,
    subjects: [...new Set([...figures.sites.keys(), ...figures.met.keys()])],
    references: [],
    columnsMax: 8,
    figures: [
      figure("% right: sets of sites", figures.sites),
      figure("% right: prepends", figures.prepends),
      figure("% right: both", figures.both),
      figure("% sure", figures.sure),
      figure("% of the sure right", figures.sureRight),
      figure("% of possible goals met", figures.met),
      figure("changes after learning", figures.further, 0),
      figure("% of intervals that hold", figures.within),
    ],
    notes: [
      "Right: targets at their forecast site in 40 settings each that were never announced, of targets with a total " +
        `order (${meanOf(ordered).toFixed(0)} % on average). Sure: forecast with 90 % or more.`,
      ...means,
      `Goals are shares of one or two sites, to two points, in at most ${furtherMax} changes after sites + 1. Met on ` +
        `average: ${metMeans.join("; ")}.`,
      `By exhaustive search ${possible} goals were possible, ${impossible} were not. Called out of reach: ` +
        `${proved} of these, and ${wrong} of the possible ones.`,
      "The older of equal routes wins in 30 % of the networks, 5 % prefer some neighbour, large ones have more exits.",
    ],
  };
}
