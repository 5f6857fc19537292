/**
 * An experiment's plan before its start: each change of BGP, each measurement, its probes, its end, and any objections.
 * Pure: the same file yields the same plan.
 */

import { aimProblems } from "./aim-problems.ts";
import { aimSteps, measuresLatency } from "./aim-steps.ts";
import type { Announcement, Experiment, ExperimentStep } from "./definition.ts";
import { type ChangesAtSite, laidAgainst, type SiteBudget } from "./exchange-budget.ts";
import { leaseRestSec } from "./limits.ts";
import { sweepSteps } from "./sweep.ts";

/** Seconds count from the start. */
export type PlannedAction =
  | { readonly sec: number; readonly kind: "announce"; readonly site: string; readonly as: Announcement }
  | { readonly sec: number; readonly kind: "withdraw"; readonly site: string }
  | {
      readonly sec: number;
      readonly kind: "catchment" | "paths" | "watch";
      /** Probes of all its repetitions. */
      readonly probes: number;
      readonly times: number;
      readonly everySec: number;
      /** Catchments are numbered: replies carry their catchment's number. */
      readonly round: number | null;
    };

interface Surroundings {
  /** Exchange servers at which the lease may be announced: the meaning of `all`. */
  readonly sites: readonly string[];
  readonly targets: number;
  readonly agents: number;
  /** Probes per target in one sample of the paths: TTLs times flows. */
  readonly probesPerPath: number;
  /** Seconds from the start until the lease ends; null = unknown. */
  readonly leaseSec: number | null;
  readonly pace: ChangePace;
  /** The exchange servers' limits for the prefix, by name; the others' are unknown, and raise no objections. */
  readonly budgets: ReadonlyMap<string, SiteBudget>;
}

/** How often the prefix may change. */
export interface ChangePace {
  readonly spacingSec: number;
  readonly perHourMax: number;
}

export interface Plan {
  /** In the order of their times. */
  readonly actions: readonly PlannedAction[];
  /** Moments at which the prefix changes somewhere. */
  readonly changes: number;
  readonly probes: number;
  /** When the prefix is withdrawn everywhere. */
  readonly endSec: number;
  /** Changes at exchange servers whose budget is known, by name. */
  readonly exchanges: ReadonlyMap<string, ChangesAtSite>;
  /** Objections, as sentences with the place in the file; none = it may run. */
  readonly problems: readonly string[];
}

/** Time for the last replies to arrive before the paths are withdrawn. */
const afterLastSec = 60;

/** Sampling without an end of its own continues until the next step; in the last one for this long. */
const lastLookSec = 1800;

export function planOf(experiment: Experiment, place: Surroundings): Plan {
  const steps = stepsOf(experiment, place.pace.spacingSec);
  const actions: PlannedAction[] = [];
  const problems: string[] = [];
  const announced = new Map<string, string>();
  const count = { round: 0 };
  const senders = experiment.aim !== undefined && measuresLatency(experiment.aim) ? place.agents : 1;
  let endSec = 0;
  for (const [i, step] of steps.entries()) {
    const nextSec = steps.slice(i + 1).find(({ at }) => at > step.at)?.at ?? null;
    problems.push(...unknownSites(step, i, place));
    actions.push(...changesOf(step, place, announced));
    const looks = looksOf(step, { nextSec, place, count, senders });
    actions.push(...looks);
    endSec = Math.max(
      endSec,
      ...[step.at, ...looks.map(lastTimeSec)].map((sec) => Math.ceil(sec) + afterLastSec),
    );
  }
  actions.push(...[...announced.keys()].map((site) => ({ sec: endSec, kind: "withdraw", site }) as const));
  actions.sort((a, b) => a.sec - b.sec);
  const moments = [...new Set(actions.flatMap((action) => ("site" in action ? [action.sec] : [])))];
  // The final withdrawal does not wait.
  problems.push(
    ...tooOften(
      moments.filter((sec) => sec < endSec),
      place.pace,
    ),
  );
  const exchanges = new Map(
    [...place.budgets].map(([site, budget]) => [site, laidAgainst(announcedAt(actions, site), budget)]),
  );
  problems.push(...notTaken(exchanges, { experiment, steps, place }));
  problems.push(...leaseTooShort(endSec, place), ...aimProblems(experiment));
  const probes = actions.reduce((sum, action) => sum + ("probes" in action ? action.probes : 0), 0);
  return { actions, changes: moments.length, probes, endSec, exchanges, problems };
}

function stepsOf({ steps, sweep, aim }: Experiment, spacingSec: number): readonly ExperimentStep[] {
  return (
    steps ??
    (sweep !== undefined ? sweepSteps(sweep, spacingSec) : aim !== undefined ? aimSteps(aim, spacingSec) : [])
  );
}

function named(sites: Announcement["sites"], { sites: all }: Surroundings): readonly string[] {
  return sites === "all" ? all : sites;
}

function unknownSites({ announce, withdraw }: ExperimentStep, i: number, place: Surroundings): string[] {
  const asked = [announce?.sites ?? [], withdraw?.sites ?? []].flatMap((sites) => named(sites, place));
  return [...new Set(asked)]
    .filter((site) => !place.sites.includes(site))
    .map((site) => `steps[${i}]: there is no exchange server "${site}"; there are ${place.sites.join(", ")}`);
}

/** Only differences from a site's current announcement. `announced` is each site's, and is updated. */
function changesOf(
  { at, announce, withdraw }: ExperimentStep,
  place: Surroundings,
  announced: Map<string, string>,
): PlannedAction[] {
  const gone = named(withdraw?.sites ?? [], place).filter((site) => announced.delete(site));
  const given = announce === undefined ? [] : named(announce.sites, place);
  const made = given.filter((site) => {
    const { sites: _sites, ...rest } = announce ?? { sites: [] };
    const text = JSON.stringify(rest);
    const isNew = announced.get(site) !== text;
    announced.set(site, text);
    return isNew;
  });
  return [
    ...gone.map((site) => ({ sec: at, kind: "withdraw", site }) as const),
    ...made.flatMap((site) =>
      announce === undefined ? [] : [{ sec: at, kind: "announce", site, as: announce } as const],
    ),
  ];
}

interface Looking {
  readonly nextSec: number | null;
  readonly place: Surroundings;
  /** Agents that probe in a catchment; all of them receive. */
  readonly senders: number;
  /** Number of the next catchment. */
  readonly count: { round: number };
}

function looksOf({ at, probe }: ExperimentStep, { nextSec, place, count, senders }: Looking) {
  const { targets, agents, probesPerPath } = place;
  const { catchment, paths, watch } = probe;
  const looks: Extract<PlannedAction, { readonly probes: number }>[] = [];
  for (let time = 0; time < (catchment?.times ?? 0); time++) {
    const sec = at + (catchment?.after ?? 0) + time * (catchment?.every ?? 0);
    const probes = targets * senders;
    looks.push({ sec, kind: "catchment", probes, times: 1, everySec: 0, round: count.round++ });
  }
  // One site probes and all receive, except for paths, which differ by site.
  const each = { paths: targets * agents * probesPerPath, watch: targets };
  for (const [kind, look] of [
    ["paths", paths],
    ["watch", watch],
  ] as const) {
    if (look !== undefined) {
      const lastsSec = look.for ?? (nextSec === null ? lastLookSec : nextSec - at);
      // Seconds with a fraction would leave a rounding error.
      const times = Math.ceil(Math.round(1000 * lastsSec) / Math.round(1000 * look.every));
      const probes = times * each[kind];
      looks.push({ sec: at, kind, probes, times, everySec: look.every, round: null });
    }
  }
  return looks;
}

function lastTimeSec({ sec, times, everySec }: { sec: number; times: number; everySec: number }): number {
  return sec + (times - 1) * everySec;
}

function tooOften(moments: readonly number[], { spacingSec, perHourMax }: ChangePace): string[] {
  const short = moments.find((sec, i) => i > 0 && sec - (moments[i - 1] ?? 0) < spacingSec);
  const hours = moments.map((sec) => moments.filter((one) => one >= sec && one < sec + 3600).length);
  const most = Math.max(0, ...hours);
  return [
    ...(short === undefined
      ? []
      : [`The change at ${short} s is less than ${spacingSec} s after the previous one`]),
    ...(most <= perHourMax
      ? []
      : [`${most} changes of the prefix come within an hour; at most ${perHourMax} may`]),
  ];
}

/** In order. What a site withdraws and announces at the same moment is announced. */
function announcedAt(actions: readonly PlannedAction[], site: string): number[] {
  const own = actions.filter((action) => "site" in action && action.site === site);
  const last = new Map(own.map(({ sec, kind }) => [sec, kind]));
  return [...last].filter(([, kind]) => kind === "announce").map(([sec]) => sec);
}

interface Laid {
  readonly experiment: Experiment;
  readonly steps: readonly ExperimentStep[];
  readonly place: Surroundings;
}

/** The first change that each exchange would refuse. */
function notTaken(
  exchanges: ReadonlyMap<string, ChangesAtSite>,
  { experiment: { sweep, aim }, steps, place }: Laid,
): string[] {
  return [...exchanges].flatMap(([site, { refused, budget }]) => {
    if (refused === null) {
      return [];
    }
    const { sec, possibleSec, isHeld } = refused;
    const step = steps.findLastIndex(
      ({ at, announce }) =>
        at === sec && announce !== undefined && named(announce.sites, place).includes(site),
    );
    const [kind, regular] = aim === undefined ? (["sweep", sweep] as const) : (["aim", aim] as const);
    const why = isHeld
      ? "the prefix has changed too often there"
      : `it takes ${budget.max} changes of a prefix in a row, and one more each ${budget.everySec} s`;
    const advice =
      sec === 0
        ? `start ${possibleSec} s later`
        : regular !== undefined && regular.wait < budget.everySec
          ? `let ${kind}.wait be ${budget.everySec}s`
          : `move it ${possibleSec - sec} s later`;
    return [
      `${regular === undefined ? `steps[${step}]` : kind}: the exchange server "${site}" would refuse the change at ` +
        `${sec} s: ${why}; it takes it at ${possibleSec} s: ${advice}`,
    ];
  });
}

function leaseTooShort(endSec: number, { leaseSec }: Surroundings): string[] {
  return leaseSec === null || leaseSec >= endSec + leaseRestSec
    ? []
    : [
        `The lease ends ${leaseSec} s after the start, and the experiment needs it for ${endSec + leaseRestSec} s; ` +
          "renew it first",
      ];
}
