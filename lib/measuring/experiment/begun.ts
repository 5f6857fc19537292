/** The start of a journal: the experiment and its actions; and its rounds, by exchange server. Pure. */
import * as v from "valibot";
import { plainAttributes } from "../../base/api/announcements.ts";
import { parsedJson } from "../../base/api/parsed-json.ts";
import { atOnce, type Steps } from "../../base/list/steps.ts";
import { measuresLatency } from "./aim-steps.ts";
import { type Aim, type Experiment, experimentSchema } from "./definition.ts";
import type { ExperimentLedger, PlannedSetting } from "./journal.ts";
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
  /** The last action's time at the latest, without delays. */
  readonly lastSec: number;
}

/** A definition has up to 65,536 targets: it is parsed once. */
const known = new WeakMap<object, BegunExperiment>();

/** Null for a journal without a start. Throws RangeError for one of another version. */
export function begunExperiment({
  begun,
  planned,
}: Pick<ExperimentLedger, "begun" | "planned">): BegunExperiment | null {
  if (begun === null) {
    return null;
  }
  const read = known.get(begun) ?? readBegun(begun);
  known.set(begun, read);
  const { aim, probe } = read.experiment;
  return aim === undefined ? read : { ...read, actions: aimActions(aim, probe, planned) };
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
  const { actions } = planOf(experiment, { ...place, leaseSec: null, pace });
  return { experiment, pace, actions, lastSec: Math.max(0, ...actions.map(({ sec }) => sec)) };
}

/** In the order of their times: the numbers of actions stay the same as more are planned. */
function aimActions(
  aim: Aim,
  { targets, agents }: Experiment["probe"],
  planned: readonly PlannedSetting[],
): PlannedAction[] {
  const probes = targets.length * (measuresLatency(aim) ? agents.length : 1);
  const now = new Map<string, string>();
  return planned.flatMap(({ sec, announced }, round) => {
    const changes = aim.sites.flatMap((site): PlannedAction[] => {
      const own = announced[site];
      const before = now.get(site);
      if (own === undefined) {
        return now.delete(site) ? [{ sec, kind: "withdraw", site }] : [];
      }
      now.set(site, JSON.stringify(own));
      const { prepend, notTo } = own;
      const as = { sites: [site], prepend, ...plainAttributes, not_to: [...notTo] };
      return before === JSON.stringify(own) ? [] : [{ sec, kind: "announce", site, as }];
    });
    const look = { kind: "catchment", probes, times: 1, everySec: 0, round } as const;
    return [...changes, { ...look, sec: sec + aim.wait }];
  });
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
