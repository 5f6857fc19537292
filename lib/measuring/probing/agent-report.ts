/**
 * An agent's reports to the gateway, and the responses: the bodies of the agent API, one definition for both sides.
 *
 * Existing agents send `{healthy, last_check, message}` every 30 s; ours add `details` and report every second, because
 * the response contains orders that must take effect within 2 s: cancelled measurements, pause, kill switch.
 */
import * as v from "valibot";
import { isWritableTime } from "../../base/api/fields.ts";
import { desiredConfigSchema } from "./agent-config.ts";
import type { PartStatus } from "./lifecycle.ts";
import {
  blocklistPrefixesMax,
  cancelledMax,
  countersMax,
  crowdCharsMax,
  instancesMax,
  messageCharsMax,
  progressCountMax,
  progressReportsMax,
  queuesMax,
  refusalsMax,
  reportIntervalMaxMs,
  reportIntervalMinMs,
} from "./limits.ts";
import { plainText } from "./plain-text.ts";

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const name = plainText(64);
const message = plainText(messageCharsMax);
const text = plainText(256);
/** RFC 3339, with up to nine digits of a second as existing agents write it; from 1970 to 9999. */
const timestamp = v.pipe(
  v.string(),
  v.isoTimestamp("must be a time such as 2026-01-31T12:00:00Z"),
  v.check(
    (value) => Date.parse(value) >= 0 && isWritableTime(Date.parse(value)),
    "must be a time that exists, from 1970 to 9999",
  ),
);
const probeCount = v.pipe(count, v.maxValue(progressCountMax, `must be at most ${progressCountMax}`));
const measurementId = v.pipe(v.string(), v.uuid("must be a UUID"));

/** An agent's health in its own figures; counts are since its start. */
export const agentDetailsSchema = v.object({
  version: v.optional(name),
  started_at: v.optional(timestamp),
  /** Interval of this agent's reports: after three intervals without one, it is offline. */
  report_interval_ms: v.optional(
    v.pipe(v.number(), v.safeInteger(), v.minValue(reportIntervalMinMs), v.maxValue(reportIntervalMaxMs)),
  ),
  /** The newest `desired` that the agent has processed, applied or refused. */
  config_version: v.optional(count),
  /** Version of the enforced list; null = none yet. */
  blocklist_version: v.optional(v.nullable(name)),
  /** It sends probes with a size, marks and flow labels. */
  sends_shapes: v.optional(v.boolean()),
  /** Whether its operator lets it ask name servers; missing in versions that cannot. */
  allows_dns: v.optional(v.boolean()),
  paused: v.optional(v.boolean()),
  killed: v.optional(v.boolean()),
  /** Why its host does not let it send, continuing "the agent is"; null = it does. */
  held_by_host: v.optional(v.nullable(text)),
  capture: v.optional(
    v.object({ state: v.picklist(["running", "degraded", "down"]), received: count, dropped: count }),
  ),
  /** Bounded queues between its threads, in their own units. */
  queues: v.optional(
    v.pipe(v.array(v.object({ name, depth: count, depth_max: count })), v.maxLength(queuesMax)),
  ),
  /** Losses and refusals by the name of their counter. */
  drops: v.optional(
    v.pipe(
      v.record(name, count),
      v.check((drops) => Object.keys(drops).length <= countersMax, "has too many counters"),
    ),
  ),
  clock: v.optional(
    v.object({
      /** The gateway's clock minus the agent's. */
      offset_ms: v.nullable(v.pipe(v.number(), v.finite())),
      /** The true offset is within this; null = within half a second. */
      within_ms: v.optional(v.nullable(v.pipe(v.number(), v.finite())), null),
      steps: count,
    }),
  ),
  broker: v.optional(
    v.object({
      readable: v.boolean(),
      writable: v.boolean(),
      lag_records: v.nullable(count),
      spool_bytes: count,
    }),
  ),
  /** Parts of `desired` that were not applied, and why. */
  refused: v.optional(
    v.pipe(v.array(v.object({ instance: name, key: name, reason: text })), v.maxLength(refusalsMax)),
  ),
});
export type AgentDetails = v.InferOutput<typeof agentDetailsSchema>;

/** POST /agent-api/agent/{id}/health. */
export const healthReportSchema = v.object({
  healthy: v.boolean(),
  last_check: v.optional(timestamp),
  message: v.nullish(message, null),
  details: v.optional(agentDetailsSchema),
});
export type HealthReport = v.InferOutput<typeof healthReportSchema>;

/** The response: the reported values, and everything that the agent must obey now. */
export const healthAnswerSchema = v.object({
  healthy: v.boolean(),
  last_check: v.string(),
  message: v.nullable(v.string()),
  /** The gateway's clock at the response: whole milliseconds since 1970. */
  time_ms: v.optional(count),
  /** Incremented with each change of `desired`. */
  config_version: count,
  desired: desiredConfigSchema,
  /** This agent sends nothing; records wait. */
  paused: v.boolean(),
  /** No agent sends anything. */
  killed: v.boolean(),
  /** Measurements that ended recently before this agent had sent all probes: it must not send the rest. */
  cancelled: v.pipe(v.array(measurementId), v.maxLength(cancelledMax)),
  /** Opaque; when it differs from the agent's own version, the agent fetches `…/blocklist`. */
  blocklist_version: v.string(),
  /** Source prefixes of this agent that the gateway's operator has not granted: no user's probes leave from them. */
  /** How many agents measure in each bucket of destinations: see `…/crowd`. Null = the gateway sets no such limits. */
  crowd: v.optional(v.nullable(v.object({ version: v.string(), at_ms: count })), null),
  pending_prefixes: v.optional(v.pipe(v.array(v.string()), v.maxLength(2 * instancesMax)), []),
});
export type HealthAnswer = v.InferOutput<typeof healthAnswerSchema>;

/** GET /agent-api/agent/{id}/blocklist. */
export const blocklistAnswerSchema = v.object({
  version: v.string(),
  /** Destinations that must not be probed, including reserved ranges if the gateway refuses them. */
  blocked: v.pipe(v.array(v.string()), v.maxLength(blocklistPrefixesMax)),
  /** Null = all others may be; else only these. */
  allowed: v.nullable(v.pipe(v.array(v.string()), v.maxLength(blocklistPrefixesMax))),
});
export type BlocklistAnswer = v.InferOutput<typeof blocklistAnswerSchema>;

/** GET /agent-api/agent/{id}/crowd. */
export const crowdAnswerSchema = v.object({
  version: v.string(),
  /** Milliseconds since the epoch, by the gateway's database clock: measurements accepted earlier are counted. */
  at_ms: count,
  /** Agents by bucket (destination-bucket.ts): u16, little endian, deflated (RFC 1951), in base64. */
  agents: v.pipe(v.string(), v.maxLength(crowdCharsMax)),
});
export type CrowdAnswer = v.InferOutput<typeof crowdAnswerSchema>;

const progress = {
  /**
   * Total over all targets of the measurement at this agent, not an increment; the gateway keeps the largest.
   */
  sent_probes: probeCount,
  is_complete: v.boolean(),
  received_replies: v.optional(probeCount, 0),
  failed_probes: v.optional(probeCount, 0),
  /** Why this agent cannot continue; with `is_complete: false` it ends its part as failed. */
  error: v.nullish(message, null),
  /** Probes that waited because their destination was at its rate limit. */
  held_probes: v.optional(probeCount, 0),
  /** For a measurement ended early: the agent has stopped sending. Unsent probes are then refunded. */
  is_stopped: v.optional(v.boolean(), false),
};

/** POST /agent-api/agent/{id}/measurement/{measurement}/status. */
export const progressSchema = v.object(progress);
export type Progress = v.InferOutput<typeof progressSchema>;

/** POST /agent-api/agent/{id}/measurements/status: many of them; the response is an array in the same order. */
export const progressBatchSchema = v.pipe(
  v.array(v.object({ measurement_id: measurementId, ...progress })),
  v.minLength(1),
  v.maxLength(progressReportsMax),
);
export type ProgressBatch = v.InferOutput<typeof progressBatchSchema>;

/** One response to a progress report. */
export interface ProgressAnswer {
  readonly measurement_id: string;
  readonly agent_id: string;
  /** The gateway's count now: the largest reported. */
  readonly sent_probes: number;
  readonly is_complete: boolean;
  /** Status of this agent's part; `unknown` = the gateway has no such measurement for this agent. */
  readonly status: PartStatus | "unknown";
  /** Null when it is unknown. */
  readonly updated_at: string | null;
}
