/**
 * A user's definition of a campaign, as JSON or YAML:
 *
 *   name: path watch
 *   agents: [west, 3@tag:eu]      or text, as in the query of a submission
 *   probes: |                     lines dst,src_port,dst_port,ttl,protocol; the same flows in each run
 *     192.0.2.1,24000,33434,7,udp
 *   targets: [192.0.2.0/24]       instead of probes: see target-fields.ts
 *   size: 1400                    and more: see shape-fields.ts
 *   every: 15m                    or cron: "30 6 * * 1-5" with zone: Europe/Berlin
 *   stop: 2027-01-01T00:00:00Z    or max_runs: 100, or forever: true
 *   alerts: {}                    detectors over runs, and their recipients: notice/alerts-definition.ts
 */
import * as v from "valibot";
import { isWritableTime, wholeNumber } from "../../../lib/base/api/fields.ts";
import type { Steps } from "../../../lib/base/list/steps.ts";
import { cronFault } from "../../../lib/measuring/campaign/cron.ts";
import {
  everySecMax,
  everySecMin,
  packetsMax,
  respondersMax,
  runsMaxMax,
  slipSecMax,
} from "../../../lib/measuring/campaign/limits.ts";
import type { StepWork } from "../../../lib/measuring/campaign/run-steps.ts";
import type { Schedule } from "../../../lib/measuring/campaign/schedule.ts";
import { spreadSecDefault } from "../../../lib/measuring/campaign/spread.ts";
import { discoverSchema } from "./discovery/discover-fields.ts";
import { roundRule } from "./discovery/rounds.ts";
import { specOfDefinition } from "./discovery/spec-of-definition.ts";
import {
  agentsCharsMax,
  eventsPerHourDefault,
  eventsPerHourMax,
  nameCharsMax,
  probesBytesMax,
} from "./limits.ts";
import { alertsSchema, shownAlerts } from "./notice/alerts-definition.ts";
import { shapeFieldNames, shapeFields } from "./shape-fields.ts";
import { type Lines, linesOf, targetFieldNames, targetFields } from "./target-fields.ts";

const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };

/** Seconds: `900`, `15m`, `6h`, `1d`. */
function duration(low: number, high: number) {
  const message = `must be ${low} to ${high} seconds, or written like 15m, 6h, 1d`;
  return v.pipe(
    v.union([v.number(), v.string()], message),
    v.transform((given) => {
      const [, digits, unit = ""] = /^(\d{1,9})([smhdw]?)$/.exec(String(given)) ?? [];
      return digits === undefined ? Number.NaN : Number(digits) * (units[unit] ?? 1);
    }),
    v.number(message),
    v.minValue(low, message),
    v.maxValue(high, message),
  );
}

const time = v.pipe(
  v.string("must be a time as 2027-01-31T12:00:00Z"),
  v.regex(
    /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/,
    "must be a time as 2027-01-31T12:00:00Z",
  ),
  v.check((text) => isWritableTime(Date.parse(text)), "is not a time that exists"),
);

/** Joins a list to one text with this separator. */
function joined(separator: string, charsMax: number, what: string) {
  return v.pipe(
    v.union([v.string(), v.array(v.string())], `must be text, or a list of ${what}`),
    v.transform((given) => (typeof given === "string" ? given : given.join(separator))),
    v.string(),
    v.nonEmpty("must not be empty"),
    v.maxLength(charsMax, `must have at most ${charsMax} characters`),
  );
}

const name = v.pipe(
  v.string(),
  v.regex(/^[\p{L}\p{N}][\p{L}\p{N} ._:/+-]*$/u, "must be letters, digits, blanks and . _ : / + -"),
  v.maxLength(nameCharsMax, `must have at most ${nameCharsMax} characters`),
);

/** What each run does after its measurement, when the replies are in the store. */
const followUpField = v.strictObject({
  ping: v.picklist(["responders"], "must be responders: all who answered"),
  packets: v.optional(wholeNumber(1, packetsMax), 3),
  at_most: v.optional(wholeNumber(1, respondersMax), 1000),
});

/** What starts a run in place of a schedule: exactly one of the first three. */
const onField = v.strictObject({
  /** A campaign of the same user, by its name or id: each alert that it raises. */
  alert: v.optional(v.pipe(v.string(), v.nonEmpty())),
  /** Only alerts of these; `route` = a changed route at a collector. */
  detectors: v.optional(v.pipe(v.array(v.string()), v.minLength(1))),
  /** The end of a campaign. */
  ended: v.optional(v.pipe(v.string(), v.nonEmpty())),
  /** A request to /api/campaigns/ID/events. */
  webhook: v.optional(v.literal(true)),
  per_hour: v.optional(wholeNumber(1, eventsPerHourMax), eventsPerHourDefault),
});

export const definitionFields = {
  name,
  agents: joined(",", agentsCharsMax, "agents"),
  probes: v.optional(joined("\n", probesBytesMax, "probe lines")),
  ...targetFields,
  ...shapeFields,
  on: v.optional(onField),
  every: v.optional(duration(everySecMin, everySecMax)),
  cron: v.optional(v.string()),
  zone: v.optional(v.string()),
  start: v.optional(time),
  stop: v.optional(time),
  forever: v.optional(v.boolean(), false),
  max_runs: v.optional(wholeNumber(1, runsMaxMax)),
  spread: v.optional(duration(0, everySecMax)),
  slip: v.optional(duration(1, slipSecMax)),
  on_missed: v.optional(v.picklist(["skip", "once"], "must be skip or once"), "skip"),
  overlap: v.optional(v.picklist(["skip", "queue"], "must be skip or queue"), "skip"),
  alerts: v.optional(alertsSchema),
  follow_up: v.optional(followUpField),
  discover: v.optional(discoverSchema),
};
const fields = v.strictObject(definitionFields);
type Fields = v.InferOutput<typeof fields>;

/** Fields that a discovery sets itself or does not support. */
const notBeside = [
  "probes",
  "flows",
  "packets",
  "per_prefix",
  "follow_up",
  "alerts",
  ...shapeFieldNames,
] as const;

export const definitionSchema = v.pipe(
  fields,
  v.check(
    ({ probes, targets }) => (probes === undefined) !== (targets === undefined),
    'needs either "probes" or "targets"',
  ),
  v.check(
    (given) => given.targets !== undefined || targetFieldNames.every((name) => given[name] === undefined),
    `${targetFieldNames.map((name) => `"${name}"`).join(", ")} go only with "targets"`,
  ),
  v.check(
    (given) => given.discover === undefined || notBeside.every((name) => given[name] === undefined),
    `"discover" cannot be combined with ${notBeside.map((name) => `"${name}"`).join(", ")}`,
  ),
  v.check(
    ({ size, dns }) => size === undefined || dns === undefined,
    '"size" cannot be combined with "dns": a query is as long as its question',
  ),
  v.check(
    ({ discover, spread = 0 }) => discover === undefined || spread === 0,
    '"discover" cannot be combined with "spread": its agents start together',
  ),
  v.check(
    ({ every, cron, on }) => [every, cron, on].filter((one) => one !== undefined).length === 1,
    'needs one of "every", "cron" and "on"',
  ),
  v.check(
    ({ on }) =>
      on === undefined || [on.alert, on.ended, on.webhook].filter((one) => one !== undefined).length === 1,
    '"on" needs one of "alert", "ended" and "webhook"',
  ),
  v.check(({ on }) => on?.detectors === undefined || on.alert !== undefined, '"detectors" requires "alert"'),
  v.check(({ zone, cron }) => zone === undefined || cron !== undefined, '"zone" requires "cron"'),
  v.rawCheck(({ dataset, addIssue }) => {
    const { cron: pattern, zone = "UTC" } = dataset.typed ? dataset.value : {};
    const message = pattern === undefined ? null : cronFault({ kind: "cron", pattern, zone });
    if (message !== null) {
      addIssue({ message });
    }
  }),
  v.check(
    ({ stop, forever, max_runs: runs }) => (forever ? stop === undefined : (stop ?? runs) !== undefined),
    'needs an end: "stop", "max_runs", or, where you may, "forever: true"',
  ),
  v.check(
    ({ every, spread = 0 }) => spread < (every ?? Number.POSITIVE_INFINITY),
    '"spread" must be less than "every"',
  ),
);

export type Definition = Fields;

/** `nowMs`, rounded up to a second, is the default start. */
export function scheduleOf(definition: Definition, nowMs: number): Schedule {
  const { on, every, cron, zone = "UTC", start, stop, max_runs: runsMax = null, slip } = definition;
  const startMs = Math.ceil((start === undefined ? nowMs : Date.parse(start)) / 1000) * 1000;
  return {
    timing:
      on !== undefined
        ? { kind: "on", perHourMax: on.per_hour }
        : every === undefined
          ? { kind: "cron", pattern: cron ?? "", zone }
          : { kind: "every", everySec: every },
    startMs,
    firstRun: 0,
    stopMs: stop === undefined ? null : Date.parse(stop),
    runsMax,
    slipMs: 1000 * (slip ?? slipSecDefault(every)),
    onMissed: definition.on_missed,
    overlap: definition.overlap,
  };
}

/** A run's steps, in order. */
function stepsOf(definition: Definition): StepWork[] {
  const { follow_up: after, discover } = definition;
  if (discover !== undefined) {
    return [
      { kind: "compute", rule: roundRule, given: { ...specOfDefinition(definition, discover), round: 1 } },
    ];
  }
  const measure = { kind: "measure", agents: null, probes: null } as const;
  if (after === undefined) {
    return [measure];
  }
  const { ping, packets, at_most } = after;
  return [
    measure,
    { kind: "wait", until: "replies" },
    { kind: "compute", rule: `ping-${ping}`, given: { packets, at_most } },
  ];
}

/** The probe lines of each run and agent: given, or from the targets; for a discovery its targets, one per line. */
export function* probeLinesOf({ probes = "", targets, ...fields }: Definition): Steps<Lines> {
  if (fields.discover !== undefined) {
    return targetLines(targets ?? []);
  }
  return targets === undefined ? { ok: true, lines: probes } : yield* linesOf(targets, fields);
}

function targetLines(targets: readonly string[]): Lines {
  const lines = targets.join("\n");
  return lines.length > probesBytesMax
    ? {
        ok: false,
        reason: `have more than ${probesBytesMax} bytes: give wider prefixes, or make several discoveries`,
      }
    : { ok: true, lines };
}

/** Most probes per agent in a run's later steps. */
export function laterProbesMax({ follow_up: after }: Definition): number {
  return after === undefined ? 0 : after.packets * after.at_most;
}

/** As shown and returned for an edit: without the probes, and with defaults filled in. */
function keptDefinition(definition: Definition): Omit<Definition, "probes"> {
  const { probes: _probes, ...rest } = definition;
  return { ...rest, spread: spreadSecOf(definition) };
}

/** What an experiment shows of itself as a campaign; its file is in its journal. */
export interface ExperimentDefinition {
  readonly name: string;
  readonly agents: string;
  readonly prefix: string;
}

/** What a revision stores of it, as plain values. */
export function storedDefinition(definition: Definition | ExperimentDefinition) {
  if ("prefix" in definition) {
    return { given: { ...definition }, deliveries: [], steps: [{ kind: "experiment" } as const] };
  }
  const { alerts, ...kept } = keptDefinition(definition);
  const shown = alerts === undefined ? {} : { alerts: shownAlerts(alerts) };
  const given = JSON.parse(JSON.stringify({ ...kept, ...shown }));
  return { given, deliveries: alerts?.deliveries ?? [], steps: stepsOf(definition) };
}

/** Seconds over which agents start; by default, those of a cron pattern start together. */
function spreadSecOf({ every, spread, discover }: Definition): number {
  return spread ?? (every === undefined || discover !== undefined ? 0 : spreadSecDefault(every));
}

/** A tenth of the interval, at most a minute; 30 s for a cron pattern. */
function slipSecDefault(everySec: number | undefined): number {
  return everySec === undefined ? 30 : Math.min(60, Math.floor(everySec / 10));
}
