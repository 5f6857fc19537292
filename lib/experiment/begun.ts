/** What a journal was begun with: the experiment, its actions; and its rounds, by exchange server. Pure. */
import * as v from "valibot";
import { parsedJson } from "../api/parsed-json.ts";
import { type Experiment, experimentSchema } from "./definition.ts";
import type { ExperimentBook } from "./journal.ts";
import { pathTtls } from "./limits.ts";
import { type ChangePace, type PlannedAction, planOf } from "./plan.ts";
import type { SweepRound } from "./preferences.ts";
import { prependsOf, roundSettings } from "./round-settings.ts";

export interface Round {
  readonly round: number;
  /** The sites at which each target answered. */
  readonly sites: ReadonlyMap<string, ReadonlySet<string>>;
  /** Prepends by site; null where sites announced in other ways besides. */
  readonly prepends: ReadonlyMap<string, number> | null;
}

interface BegunExperiment {
  readonly experiment: Experiment;
  readonly actions: readonly PlannedAction[];
  /** As the gateway's was then: with another, actions would have other numbers. */
  readonly pace: ChangePace;
}

/** Null for a journal that nothing was begun in. Throws RangeError for one of another version. */
export function begunExperiment({ begun }: ExperimentBook): BegunExperiment | null {
  if (begun === null) {
    return null;
  }
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

/** In the order of their numbers. */
export function roundsOf(book: ExperimentBook): Round[] {
  const begun = begunExperiment(book);
  if (begun === null) {
    return [];
  }
  const { sites: siteOf } = begun.experiment.probe;
  const settings = roundSettings(begun.actions);
  return [...book.rounds]
    .sort(([a], [b]) => a - b)
    .map(([round, kept]) => ({
      round,
      sites: new Map(
        Object.entries(kept).map(([target, agents]) => [
          target,
          new Set(agents.map((agent) => (Object.hasOwn(siteOf, agent) ? (siteOf[agent] ?? agent) : agent))),
        ]),
      ),
      prepends: prependsOf(settings.get(round) ?? new Map()),
    }));
}

/** Those that compare: what sites announced differs by prepends only. */
export function sweepRounds(rounds: readonly Round[]): SweepRound[] {
  return rounds.flatMap(({ sites, prepends }) => {
    const only = [...sites].flatMap(([target, seen]) => {
      const [site] = seen;
      return seen.size === 1 && site !== undefined ? [[target, site] as const] : [];
    });
    return prepends === null || prepends.size === 0
      ? []
      : [{ sites: new Set(prepends.keys()), prepends, siteOf: new Map(only) }];
  });
}
