/** A probing gateway's API responses about campaigns. */
import * as v from "valibot";
import { time } from "./fields.ts";

const id = v.pipe(v.string(), v.uuid());

export const estimateAnswer = v.object({
  agents: v.pipe(v.number(), v.description("Those that would take part now")),
  probes_per_run: v.number(),
  runs_per_day: v.pipe(v.number(), v.description("On the busiest UTC day")),
  probes_per_day: v.number(),
  quota_per_day: v.number(),
  quota_share: v.number(),
  runs: v.pipe(v.nullable(v.number()), v.description("Null: endless, or more than an estimate covers")),
  probes: v.nullable(v.number()),
  first_at: v.nullable(time),
  last_at: v.nullable(time),
  next_runs: v.pipe(v.optional(v.array(time), []), v.description("The first runs, at most five")),
  quota_ends_at: v.pipe(
    v.optional(v.nullable(time), null),
    v.description("The first run that exceeds its day's quota; null: all fit, as of now"),
  ),
});

export const campaignAnswer = v.object({
  id,
  name: v.string(),
  phase: v.picklist(["active", "paused", "ended"]),
  revision: v.number(),
  next_run: v.number(),
  next_at: v.nullable(time),
  current_run: v.nullable(v.number()),
  done: v.pipe(v.number(), v.description("Runs that were measured")),
  not_done: v.pipe(v.number(), v.description("Runs that were missed, refused, or skipped")),
  probes_per_day: v.number(),
  ended_reason: v.nullable(v.string()),
  stopped_because: v.nullable(v.string()),
  created_at: time,
  ended_at: v.nullable(time),
});

/** As submitted, without the probes; for people and programs alike. */
export const campaignDetailAnswer = v.object({
  ...campaignAnswer.entries,
  definition: v.record(v.string(), v.unknown()),
  probes: v.string(),
  follow_ups: v.pipe(
    v.object({ started: v.number(), refused: v.number() }),
    v.description("Of the alerts of the last 90 days: docs/measure/campaigns.md"),
  ),
  events: v.pipe(
    v.optional(
      v.object({
        ...{ taken: v.number(), waiting: v.number(), cut: v.number() },
        last_cut_at: v.nullable(v.string()),
      }),
    ),
    v.description("What started runs by `on`; cut: beyond on.per_hour"),
  ),
});
export const eventBody = v.strictObject({
  event: v.pipe(
    v.string(),
    v.nonEmpty(),
    v.maxLength(200),
    v.description("Its id: the same one starts one run"),
  ),
});
export const eventAnswer = v.object({ is_new: v.boolean() });

export const madeCampaignAnswer = v.object({ campaign: campaignAnswer, estimate: estimateAnswer });

export const campaignRunAnswer = v.object({
  run: v.number(),
  last_run: v.pipe(v.number(), v.description("Runs in this range were skipped for the same reason")),
  revision: v.number(),
  planned_at: time,
  state: v.picklist(["open", "done", "missed", "refused", "passed", "cancelling", "cancelled"]),
  reason: v.pipe(
    v.nullable(v.string()),
    v.description("Why it did not begin, or which agents are missing, and why"),
  ),
  ended_at: v.nullable(time),
  measurements: v.array(
    v.object({
      measurement_id: v.nullable(id),
      agents: v.string(),
      state: v.string(),
      taken_at: v.nullable(time),
    }),
  ),
});

export const adminCampaignAnswer = v.object({ ...campaignAnswer.entries, user_hash: v.string() });
