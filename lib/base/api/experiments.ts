/** A probing gateway's API for experiments. */
import * as v from "valibot";
import { time, wholeNumber } from "./fields.ts";

const id = v.pipe(v.string(), v.uuid());

/** Seconds between renewals of announcements: they end two of these after the last one. */
const renewSec = wholeNumber(5, 3600);

/** Body of a start. */
export const startBody = v.strictObject({
  experiment: v.pipe(v.unknown(), v.description("Its file: docs/measure/experiments.md")),
  sites: v.pipe(
    v.optional(v.array(v.pipe(v.string(), v.nonEmpty()))),
    v.description("Exchange servers that `all` means; default: those that it names"),
  ),
  grant: v.pipe(
    v.string(),
    v.nonEmpty(),
    v.description(
      "Secret of a grant of the peering gateway, which names the prefix; kept encrypted until the end",
    ),
  ),
  interval_sec: v.pipe(v.optional(renewSec, 30), v.description("How often announcements are renewed")),
  settle_sec: v.pipe(
    v.optional(wholeNumber(1, 300), 10),
    v.description("Wait for replies after the last probe"),
  ),
  collector: v.pipe(
    v.optional(v.string()),
    v.description("One of the gateway's collectors; default: the first, `none` = none"),
  ),
});

export const plannedExperimentAnswer = v.object({
  changes: v.pipe(v.number(), v.description("Changes of BGP")),
  probes: v.number(),
  lasts_sec: v.number(),
  notes: v.pipe(v.array(v.string()), v.description("The lease, and what exchange servers take afterwards")),
});

/** Journal lines of one body. */
const linesMax = 100_000;
export const importBody = v.strictObject({
  lines: v.pipe(
    v.array(v.pipe(v.string(), v.description("A line of the journal: JSON"))),
    v.minLength(1, "must have a line"),
    v.maxLength(linesMax, `must be at most ${linesMax} lines`),
  ),
});

export const experimentAnswer = v.object({
  id,
  name: v.string(),
  prefix: v.string(),
  begun_at: time,
  state: v.pipe(
    v.picklist(["running", "paused", "silent", "ended"]),
    v.description("silent: no gateway has run it for two minutes, and its announcements have ended"),
  ),
  heard_at: v.pipe(time, v.description("Last update")),
  ended_at: v.nullable(time),
  reason: v.pipe(
    v.nullable(v.string()),
    v.description("Why it has ended: finished, stopped, interrupted, …"),
  ),
  actions: v.pipe(v.number(), v.description("Actions in its plan")),
  entries: v.number(),
  bytes: v.number(),
  grant_id: v.pipe(
    v.nullable(id),
    v.description("The grant that it announces with; null = it ran elsewhere, or has ended"),
  ),
});
export const startedExperimentAnswer = v.object({
  experiment: experimentAnswer,
  plan: plannedExperimentAnswer,
});

const site = v.string();
const seconds = v.pipe(v.number(), v.description("Seconds"));
const within = v.pipe(
  v.nullable(v.number()),
  v.description("Milliseconds; null = the clock was never compared"),
);
const plane = v.picklist(["control", "data"]);

export const experimentDetailAnswer = v.object({
  ...experimentAnswer.entries,
  done: v.pipe(v.number(), v.description("Actions")),
  definition: v.pipe(v.record(v.string(), v.unknown()), v.description("Its file, without the targets")),
  targets: v.number(),
  changes: v.pipe(
    v.array(v.object({ number: v.number(), at: time, text: v.string() })),
    v.description("Everything requested at one moment is one change"),
  ),
  rounds: v.array(
    v.object({
      round: v.number(),
      announced: v.string(),
      site: v.pipe(
        site,
        v.description("(several): targets that answered at more than one; (silent): at none"),
      ),
      targets: v.number(),
      moved_here: v.nullable(v.number()),
    }),
  ),
  moves: v.array(v.object({ round: v.number(), from: site, to: site, targets: v.number() })),
  sites: v.pipe(
    v.array(
      v.object({
        site,
        by_prepend: v.array(v.object({ prepends: v.number(), targets: v.number(), of: v.number() })),
        alone: v.nullable(v.object({ targets: v.number(), of: v.number() })),
      }),
    ),
    v.description("Of a sweep: each site's catchment by its prepends, with none elsewhere"),
  ),
  convergence: v.pipe(
    v.array(
      v.object({
        change: v.pipe(v.number(), v.description("Number of the change")),
        ...{ plane, who: v.string(), first_s: seconds, last_s: seconds },
        signs: v.number(),
        within_ms: within,
      }),
    ),
    v.description(
      "How long after a change each peer of a router and each agent saw something new, first and last",
    ),
  ),
  events: v.pipe(v.number(), v.description("On the time line")),
});

const ns = v.pipe(v.string(), v.description("Nanoseconds since the epoch"));
export const timeLineAnswer = v.array(
  v.object({
    time_ns: v.pipe(ns, v.description("By the source's own clock")),
    at_ns: v.pipe(ns, v.description("By the controller's clock, which orders the events")),
    time: v.pipe(time, v.description("The same, to the millisecond")),
    within_ms: within,
    ...{ plane, source: v.string(), subject: v.string(), event: v.string(), detail: v.string() },
  }),
);
