/** The start of a journal: the experiment and its actions; and its rounds, by exchange server. Pure. */
import * as v from "valibot";
import { parsedJson } from "../../base/api/parsed-json.ts";
import { atOnce, type Steps } from "../../base/list/steps.ts";
import { type Experiment, experimentSchema } from "./definition.ts";
import type { ExperimentLedger } from "./journal.ts";
import { pathTtls } from "./limits.ts";
import { type ChangePace, type PlannedAction, planOf } from "./plan.ts";
import type { SweepRound } from "./preferences.ts";
import { prependsOf, roundSettings } from "./round-settings.ts";

export interface Round {
  readonly round: number;
  /** The sites at which each target answered. */
  readonly sites: ReadonlyMap<string, ReadonlySet<string>>;
  /** Prepends by site; null if sites also announced in other ways. */
  readonly prepends: ReadonlyMap<string, number> | null;
}

interface BegunExperiment {
  readonly experiment: Experiment;
  readonly actions: readonly PlannedAction[];
  /** The gateway's spacing at that time: with another one, actions would have other numbers. */
  readonly pace: ChangePace;
}

/** A definition has up to 65,536 targets: it is parsed once. */
const known = new WeakMap<object, BegunExperiment>();

/** Null for a journal without a start. Throws RangeError for one of another version. */
export function begunExperiment({ begun }: ExperimentLedger): BegunExperiment | null {
  if (begun === null) {
    return null;
  }
  const read = known.get(begun) ?? readBegun(begun);
  known.set(begun, read);
  return read;
}

function readBegun(begun: NonNullable<ExperimentLedger["begun"]>): BegunExperiment {
  const parsed = v.safeParse(definition, parsedJson(begun.definition));
  if (!parsed.success) {
    throw new RangeError(
      `${begun.name} was begun by another version of vantage: read it with that, or begin anew`,
    );
  }
  const [experiment, sites, pace] = parsed.output;
  const { targets, agents } = experiment.probe;
  const place = {
    sites,
    targets: targets.length,
    agents: agents.length,
    probesPerPath: pathTtls,
    budgets: new Map(),
  };
  return { experiment, pace, actions: planOf(experiment, { ...place, leaseSec: null, pace }).actions };
}

const paceSchema = v.object({ spacingSec: v.number(), perHourMax: v.number() });
const definition = v.tuple([experimentSchema, v.array(v.string()), paceSchema]);

/** In the order of their numbers, one round per step. */
export function* readRounds(journal: ExperimentLedger): Steps<Round[]> {
  const begun = begunExperiment(journal);
  if (begun === null) {
    return [];
  }
  const settings = roundSettings(begun.actions);
  const sitesOf = sitesOfAgents(begun.experiment.probe.sites);
  const rounds: Round[] = [];
  for (const [round, kept] of [...journal.rounds].sort(([a], [b]) => a - b)) {
    const sites = new Map(Object.entries(kept).map(([target, agents]) => [target, sitesOf(agents)]));
    rounds.push({ round, sites, prepends: prependsOf(settings.get(round) ?? new Map()) });
    yield;
  }
  return rounds;
}

export function roundsOf(journal: ExperimentLedger): Round[] {
  return atOnce(readRounds(journal));
}

/** Thousands of targets are reached from the same few agents: they share one set, as each takes 200 bytes. */
function sitesOfAgents(siteOf: Readonly<Record<string, string>>) {
  const shared = new Map<string, ReadonlySet<string>>();
  return (agents: readonly string[]): ReadonlySet<string> => {
    const key = agents.length === 1 ? (agents[0] ?? "") : JSON.stringify(agents);
    const found =
      shared.get(key) ??
      new Set(agents.map((agent) => (Object.hasOwn(siteOf, agent) ? (siteOf[agent] ?? agent) : agent)));
    shared.set(key, found);
    return found;
  };
}

/** Comparable rounds, one per step: those whose announcements differ by prepends only. */
export function* readSweep(rounds: readonly Round[]): Steps<SweepRound[]> {
  const sweep: SweepRound[] = [];
  for (const { sites, prepends } of rounds) {
    yield;
    if (prepends !== null && prepends.size > 0) {
      const siteOf = new Map<string, string>();
      for (const [target, seen] of sites) {
        const [site] = seen;
        if (seen.size === 1 && site !== undefined) {
          siteOf.set(target, site);
        }
      }
      sweep.push({ sites: new Set(prepends.keys()), prepends, siteOf });
    }
  }
  return sweep;
}

export function sweepRounds(rounds: readonly Round[]): SweepRound[] {
  return atOnce(readSweep(rounds));
}
