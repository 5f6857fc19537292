/**
 * A probing gateway's API responses about submissions and measurements, as in its OpenAPI document. Readers of any
 * gateway's responses pick the members they need, and declare where they accept less.
 */
import * as v from "valibot";
import { time } from "./fields.ts";

const id = v.pipe(v.string(), v.uuid());
const status = v.picklist(["queued", "running", "complete", "cancelled", "failed", "expired"]);

/** Labels for people. */
const findings = {
  title: v.pipe(
    v.string(),
    v.description("Its name; without one what it is about: UDP traces to 203.0.113.10 from west, 8 flows"),
  ),
  name: v.nullable(v.string()),
  tags: v.array(v.string()),
  kind: v.pipe(
    v.nullable(v.picklist(["trace", "ping"])),
    v.description("trace = probes with several TTLs, ping = with one; null = from an earlier version"),
  ),
  destinations: v.pipe(
    v.nullable(v.number()),
    v.description("Distinct ones; null = more than could be counted, or from an earlier version"),
  ),
};

const originKinds = ["command", "console", "program", "token", "campaign", "discovery"] as const;

export const originAnswer = v.object({
  kind: v.picklist(originKinds),
  text: v.pipe(v.string(), v.description("In words: vantage trace, campaign nightly run 12")),
  token_id: v.pipe(v.nullable(id), v.description("The API token that submitted it")),
  campaign_id: v.pipe(v.nullable(id), v.description("The campaign or discovery, also after it was removed")),
  run: v.nullable(v.number()),
  round: v.pipe(v.nullable(v.number()), v.description("Of a discovery")),
});

export const measurementAnswer = v.object({
  measurement_id: id,
  ...findings,
  note: v.nullable(v.string()),
  origin: originAnswer,
  folded_runs: v.pipe(
    v.optional(v.number()),
    v.description("With fold=true: measurements of its campaign that it stands for, itself among them"),
  ),
  total_agents: v.number(),
  completed_agents: v.number(),
  total_expected_probes: v.number(),
  total_sent_probes: v.number(),
  total_received_replies: v.number(),
  total_failed_probes: v.number(),
  /** Probes that waited because their destination was at its rate limit. */
  total_held_probes: v.number(),
  measurement_complete: v.boolean(),
  measurement_cancelled: v.boolean(),
  status,
  probes: v.number(),
  published_probes: v.number(),
  started_at: time,
  last_updated: time,
  ended_at: v.nullable(time),
  not_after: time,
  finished_early: v.pipe(
    v.boolean(),
    v.description("Complete because the results were sufficient: the rest was cancelled"),
  ),
});

/** One agent's part. */
export const measurementPartAnswer = v.object({
  agent_id: v.string(),
  expected_probes: v.number(),
  sent_probes: v.number(),
  received_replies: v.number(),
  failed_probes: v.number(),
  held_probes: v.number(),
  credited_probes: v.nullable(v.number()),
  is_complete: v.boolean(),
  cancelled: v.boolean(),
  status,
  error: v.nullable(v.string()),
  held_by_host: v.pipe(
    v.nullable(v.string()),
    v.description('Why it waits: what the host of the agent does not allow, as "paused by its host"'),
  ),
  updated_at: time,
});

export const cancellationAnswer = v.object({
  measurement_id: id,
  cancelled: v.boolean(),
  measurement_cancelled: v.boolean(),
  agents_cancelled: v.number(),
  message: v.string(),
});

/** A requested agent that does not take part, and why. */
export const rejectedAgent = v.object({
  id: v.string(),
  ip_address: v.nullable(v.string()),
  reason: v.string(),
});

/** The result of a selector: `tag:eu`, `3@any`. */
export const selectionAnswer = v.object({
  selector: v.string(),
  agents: v.pipe(v.array(v.string()), v.description("Chosen, besides those that are named")),
  matching: v.pipe(v.number(), v.description("Agents that match, whether they can take part now or not")),
});

/** The packets that one agent kept on one interface. */
export const packetFileAnswer = v.object({
  agent_id: v.string(),
  interface: v.string(),
  sent_packets: v.number(),
  heard_packets: v.number(),
  left_out_packets: v.pipe(v.number(), v.description("Too many for the file")),
  size_bytes: v.number(),
  stored_at: time,
  expires_at: time,
});
