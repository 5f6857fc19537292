/** A probing gateway's API responses about campaign alerts. */
import * as v from "valibot";
import { time } from "./fields.ts";

/** Whose programs read the body of a webhook. */
export const alertFormats = [
  "slack",
  "mattermost",
  "matrix",
  "discord",
  "pagerduty",
  "alertmanager",
] as const;
export type AlertFormat = (typeof alertFormats)[number];

const id = v.pipe(v.string(), v.uuid());

export const alertAnswer = v.object({
  id,
  campaign_id: id,
  campaign: v.string(),
  detector: v.string(),
  agent: v.pipe(v.string(), v.description("Empty: the alert is about the route to the destination")),
  destination: v.pipe(v.string(), v.description("Empty: the alert is about the agent itself")),
  value: v.pipe(
    v.nullable(v.number()),
    v.description("The value that triggered it: docs/measure/campaigns.md"),
  ),
  threshold: v.nullable(v.number()),
  reason: v.string(),
  raised_run: v.number(),
  raised_at: time,
  cleared_run: v.nullable(v.number()),
  cleared_at: v.nullable(time),
  cleared_reason: v.nullable(v.string()),
  follow_up: v.pipe(
    v.nullable(v.picklist(["trace", "ping", "discover"])),
    v.description("What it starts; null = nothing"),
  ),
  follow_up_state: v.nullable(v.picklist(["due", "started", "refused"])),
  follow_up_id: v.pipe(
    v.nullable(id),
    v.description("Of the measurement or, with `discover`, the discovery"),
  ),
  follow_up_reason: v.pipe(v.nullable(v.string()), v.description("Why it was refused")),
});

export const alertPreviewAnswer = v.object({
  runs: v.pipe(v.number(), v.description("Runs that were evaluated, the newest")),
  first_run: v.pipe(v.nullable(v.number()), v.description("Baselines are learned from this run on")),
  last_run: v.nullable(v.number()),
  raised: v.number(),
  cleared: v.number(),
  active: v.pipe(v.number(), v.description("Raised and not cleared after the last run")),
  events: v.pipe(
    v.array(
      v.object({
        run: v.number(),
        planned_at: time,
        kind: v.picklist(["raised", "cleared"]),
        detector: v.string(),
        agent: v.string(),
        destination: v.string(),
        value: v.nullable(v.number()),
        threshold: v.nullable(v.number()),
        reason: v.string(),
      }),
    ),
    v.description("In the order of the runs; at most 200"),
  ),
  note: v.pipe(v.nullable(v.string()), v.description("What was left out; null = nothing")),
});

export const alertDeliveryAnswer = v.object({
  id: v.pipe(id, v.description("The same in each delivery attempt, to recognise duplicates")),
  run: v.number(),
  kind: v.picklist(["webhook", "email"]),
  place: v.string(),
  is_digest: v.boolean(),
  events: v.number(),
  state: v.picklist(["due", "delivered", "failed"]),
  attempts: v.array(v.object({ at: v.string(), outcome: v.string() })),
  created_at: time,
  next_at: v.nullable(time),
});

const statusEntry = v.object({
  alert: v.boolean(),
  alert_reasons: v.array(v.string()),
  all: v.pipe(
    v.array(v.nullable(v.number())),
    v.description("Median round-trip times, the newest first; ms"),
  ),
  last: v.nullable(v.number()),
  last_packet_loss: v.nullable(v.number()),
});

/** The shape of RIPE Atlas: `probes` are agents, by name; with several targets `agent destination`. */
export const statusCheckAnswer = v.object({
  global_alert: v.boolean(),
  total_alerts: v.number(),
  probes: v.record(v.string(), statusEntry),
});
