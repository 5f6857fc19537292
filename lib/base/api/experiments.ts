/** A probing gateway's API for experiments. */
import * as v from "valibot";
import { time } from "./fields.ts";

const id = v.pipe(v.string(), v.uuid());
const line = v.pipe(v.string(), v.description("A line of the journal: JSON"));

export const begunBody = v.strictObject({ begun: line });
export const keptAnswer = v.object({
  id,
  entries: v.pipe(v.number(), v.description("Lines stored so far, which is the index of the next one")),
});

/** Journal lines in one request. */
const linesMax = 10_000;
export const linesBody = v.strictObject({
  from: v.pipe(v.number(), v.integer(), v.minValue(0), v.description("Index of the first of these lines")),
  lines: v.pipe(
    v.array(line),
    v.maxLength(linesMax, `must be at most ${linesMax} lines`),
    v.description("None = the controller is still active"),
  ),
});

export const experimentAnswer = v.object({
  id,
  name: v.string(),
  prefix: v.string(),
  begun_at: time,
  state: v.pipe(
    v.picklist(["running", "silent", "ended"]),
    v.description(
      "silent: nothing received from its controller for two minutes, and its announcements have ended",
    ),
  ),
  heard_at: v.pipe(time, v.description("When its controller last reported")),
  ended_at: v.nullable(time),
  reason: v.pipe(
    v.nullable(v.string()),
    v.description("Why it has ended: finished, stopped, interrupted, …"),
  ),
  actions: v.pipe(v.number(), v.description("Actions in its plan")),
  entries: v.number(),
  bytes: v.number(),
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
