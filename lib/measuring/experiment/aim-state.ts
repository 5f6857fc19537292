/** What the planner of an aim works with, from its definition and its journal. Pure. */
import type { Steps } from "../../base/list/steps.ts";
import { type MeasuredRound, unknown } from "./aim/forecast.ts";
import { type AimTarget, type GoalRange, goalRanges, type LatencyOf, readGoal } from "./aim/goals.ts";
import type { MapTable } from "./aim/map-table.ts";
import type { AimState } from "./aim/next-setting.ts";
import { type Entry, type Setting, withdrawn } from "./aim/setting.ts";
import { aimTargets, leversOf } from "./aim-targets.ts";
import { readRounds } from "./begun.ts";
import type { Aim, Experiment } from "./definition.ts";
import type { ExperimentLedger, PlannedSetting } from "./journal.ts";

/** The goals as ranges for these targets. */
function aimGoals(aim: Aim, targets: readonly AimTarget[], latencyOf: LatencyOf): GoalRange[] {
  const goals = aim.goals.map(readGoal).filter((goal) => goal !== null);
  return goalRanges(goals, { sites: aim.sites, targets, latencyOf, tolerance: aim.tolerance / 100 });
}

interface StateOrder {
  readonly experiment: Experiment;
  readonly aim: Aim;
  readonly ledger: ExperimentLedger;
  readonly map: MapTable | null;
  readonly changesMax: number;
}

export function* aimState(order: StateOrder): Steps<AimState> {
  const { experiment, aim, ledger, map, changesMax } = order;
  const { sites } = aim;
  const levers = leversOf(aim);
  const targets = aimTargets(aim, experiment.probe.targets);
  const rounds: MeasuredRound[] = [];
  for (const round of yield* readRounds(ledger)) {
    const planned = ledger.planned[round.round];
    if (planned !== undefined) {
      const siteOf = Int16Array.from(targets, ({ address }) => siteIndex(sites, round.sites.get(address)));
      rounds.push({ setting: settingOf(levers.entries, planned.announced), siteOf });
    }
    yield;
  }
  const earlier = aim.earlier.map(({ announced, at }) => ({
    setting: settingOf(levers.entries, announced),
    siteOf: Int16Array.from(targets, ({ address }) => sites.indexOf(at[address] ?? "")),
  }));
  return {
    ...{ levers, sites, map, earlier, rounds, changesMax },
    goals: aimGoals(aim, targets, latenciesOf(targets, rounds, ledger)),
    weights: Float64Array.from(targets, ({ weight }) => weight),
    asns: targets.map(({ asn }) => asn),
    seed: ledger.begun?.startMs ?? 0,
  };
}

/** A target at several sites, or at one that the aim does not name, is at none. */
function siteIndex(sites: readonly string[], seen: ReadonlySet<string> | undefined): number {
  const [site] = seen ?? [];
  return seen?.size === 1 && site !== undefined ? sites.indexOf(site) : unknown;
}

function settingOf(entries: readonly Entry[], announced: PlannedSetting["announced"]): Setting {
  return Int8Array.from(entries, ({ site, neighbor }) => {
    const own = announced[site];
    return own === undefined || (neighbor !== null && own.notTo.includes(neighbor)) ? withdrawn : own.prepend;
  });
}

/** The least that was measured at each site. */
function latenciesOf(
  targets: readonly AimTarget[],
  rounds: readonly MeasuredRound[],
  { latencies }: ExperimentLedger,
): LatencyOf {
  const known = new Map<string, number>();
  for (const [round, { siteOf }] of rounds.entries()) {
    for (const [target, site] of siteOf.entries()) {
      const ms = latencies.get(round)?.[targets[target]?.address ?? ""];
      const key = `${target} ${site}`;
      if (ms !== undefined && site !== unknown) {
        known.set(key, Math.min(ms, known.get(key) ?? ms));
      }
    }
  }
  return (target, site) => known.get(`${target} ${site}`);
}
