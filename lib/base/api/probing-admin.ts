/** A probing gateway's API responses for operators. */
import * as v from "valibot";
import { heldByHost } from "./agents.ts";
import { measurementPartAnswer, rejectedAgent } from "./measurements.ts";

const time = v.string();
const timeOrNull = v.nullable(time);

const place = {
  location: v.nullable(v.string()),
  country: v.nullable(v.string()),
  asn: v.nullable(v.number()),
  tags: v.array(v.string()),
};

/** The gateway adds instances, current and desired. */
export const adminAgentAnswer = v.object({
  id: v.string(),
  ...place,
  paused: v.boolean(),
  held_by_host: heldByHost,
  online: v.boolean(),
  healthy: v.nullable(v.boolean()),
  granted_prefixes: v.array(v.string()),
  /** Further ones that it reports; unused until they are approved. */
  pending_prefixes: v.array(v.string()),
  config_version: v.number(),
  created_at: time,
  registered_at: timeOrNull,
  last_seen_at: timeOrNull,
  retired_at: timeOrNull,
  keys: v.array(v.object({ key_id: v.string(), created_at: time, revoked_at: timeOrNull })),
});

export const enrolmentKeyAnswer = v.object({
  /** First 16 hex digits of the key's hash. */
  key_id: v.string(),
  label: v.string(),
  uses_left: v.number(),
  expires_at: timeOrNull,
  created_at: time,
  granted_prefixes: v.array(v.string()),
  ...place,
});

export const probingUserAnswer = v.object({
  user_hash: v.string(),
  name: v.pipe(
    v.optional(v.nullable(v.string())),
    v.description("By a login since the gateway's start: names are not stored; null = not known"),
  ),
  user_id: v.number(),
  /** Null = the gateway's default, also below. */
  probes_per_day_max: v.nullable(v.number()),
  rate_probes_per_sec_max: v.nullable(v.number()),
  /** Whether agents keep packets of this user's measurements on request. */
  may_record_packets: v.boolean(),
  suspended_at: timeOrNull,
  suspended_reason: v.nullable(v.string()),
  created_at: time,
  /** Probes x agents on this UTC day. */
  used_today: v.number(),
});

/** The store's progress through the broker's records. */
export const ingestAnswer = v.object({
  feed: v.picklist(["replies", "probes", "updates"]),
  topic: v.string(),
  waiting_records: v.pipe(
    v.nullable(v.number()),
    v.description("In the broker, not stored yet; null = not known"),
  ),
  newest_at: v.pipe(
    timeOrNull,
    v.description("When the newest row of the last two days was captured, or submitted"),
  ),
  behind_seconds: v.pipe(
    v.nullable(v.number()),
    v.description("Age of the newest row while records are waiting; 0 when none is"),
  ),
  rows_last_minute: v.pipe(v.nullable(v.number()), v.description("Rows stored (probes: submitted) in it")),
  broker_trouble: v.pipe(
    v.nullable(v.string()),
    v.description("Why the number of waiting records is unknown"),
  ),
  store_trouble: v.pipe(v.nullable(v.string()), v.description("Why the number of stored rows is unknown")),
});

export const probingAuditAnswer = v.object({
  audit_id: v.number(),
  at: time,
  actor: v.string(),
  action: v.string(),
  subject: v.string(),
  details: v.record(v.string(), v.unknown()),
});

export const sourceAnswer = v.object({
  address: v.string(),
  agents: v.array(
    v.object({ id: v.string(), location: v.nullable(v.string()), asn: v.nullable(v.number()) }),
  ),
  users: v.array(
    v.object({ user_hash: v.string(), agent_id: v.string(), user_prefix: v.string(), first_given_at: time }),
  ),
});

const part = measurementPartAnswer.entries;

/** What happened to a measurement, from what is stored. */
const tracedMeasurement = v.object({
  measurement_id: v.string(),
  request_id: v.pipe(
    v.nullable(v.string()),
    v.description("Null = submitted by the gateway itself, or by an earlier version"),
  ),
  user_hash: v.string(),
  gateway_id: v.string(),
  made_by: v.pipe(v.nullable(v.string()), v.description("The program, by its User-Agent")),
  status: v.string(),
  probes: v.number(),
  published_probes: v.number(),
  started_at: time,
  published_at: timeOrNull,
  ended_at: timeOrNull,
  not_after: time,
  rejected: v.pipe(v.array(rejectedAgent), v.description("Requested agents that do not take part")),
  agents: v.array(
    v.object({
      ...{ agent_id: part.agent_id, status: part.status, expected_probes: part.expected_probes },
      ...{ sent_probes: part.sent_probes, received_replies: part.received_replies },
      ...{ failed_probes: part.failed_probes, held_probes: part.held_probes },
      ...{ credited_probes: part.credited_probes, error: part.error, held_by_host: part.held_by_host },
      updated_at: time,
    }),
  ),
  additions: v.pipe(
    v.array(v.object({ request_id: v.nullable(v.string()), probes: v.number(), started_at: time })),
    v.description("Probes that were added while it was open"),
  ),
  changes: v.pipe(
    v.array(probingAuditAnswer),
    v.description(
      "To it, and to its agents, its user or the platform while it ran: at most 100, oldest first",
    ),
  ),
  stored_probes: v.pipe(v.nullable(v.number()), v.description("Null = the store did not respond")),
  stored_replies: v.nullable(v.number()),
  store_trouble: v.nullable(v.string()),
});

const refusedSubmission = v.object({
  request_id: v.string(),
  user_hash: v.string(),
  gateway_id: v.string(),
  made_by: v.pipe(v.nullable(v.string()), v.description("The program, by its User-Agent")),
  refused_at: time,
  status: v.number(),
  code: v.string(),
  reason: v.string(),
  added_to: v.pipe(v.nullable(v.string()), v.description("The open measurement that the probes were for")),
});

/** What a request, or all requests for a measurement, led to. */
export const traceAnswer = v.object({
  measurements: v.pipe(v.array(tracedMeasurement), v.description("At most 20, newest first")),
  refusals: v.pipe(v.array(refusedSubmission), v.description("At most 20, newest first; kept for a week")),
});

export const killAnswer = v.object({ killed_at: timeOrNull, killed_reason: v.nullable(v.string()) });

export const blockedAnswer = v.object({ prefix: v.string(), reason: v.string(), created_at: time });
