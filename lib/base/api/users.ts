/** A probing gateway's API responses about its users and their limits. */
import * as v from "valibot";
import { time } from "./fields.ts";

export const meAnswer = v.object({
  user_id: v.number(),
  user_hash: v.pipe(v.string(), v.description("As operators see it")),
  name: v.pipe(v.nullable(v.string()), v.description("From the login; null = not in its token")),
  submission_count: v.number(),
  last_submitted: v.nullable(time),
  used: v.number(),
  limit: v.number(),
});

export const userPrefixesAnswer = v.object({
  user_id: v.number(),
  agents: v.array(
    v.object({
      agent_id: v.string(),
      prefixes: v.array(v.object({ agent_prefix: v.string(), user_prefix: v.string() })),
    }),
  ),
});

const day = v.object({
  limit: v.number(),
  used: v.number(),
  remaining: v.number(),
  resets_in_seconds: v.number(),
});

export const limitsAnswer = v.object({
  probes_per_day: day,
  submission_bytes_per_day: day,
  /** The caller's data in the database: campaigns, lists, journals, alerts, packets. */
  stored_bytes: v.object({ limit: v.number(), used: v.number(), remaining: v.number() }),
  /** Time that the column store works for the caller's SQL. */
  sql_seconds_per_day: day,
  submissions_per_minute: v.number(),
  prefix_probes_per_day: v.number(),
  /** To one destination by all agents combined, 0 = without limit; a TCP packet counts as ten. */
  destination_packets_per_second: v.object({
    address_by_user: v.number(),
    address: v.number(),
    network: v.number(),
  }),
  probes_per_submission: v.number(),
  agents_per_submission: v.number(),
  json_body_bytes: v.number(),
  stream_body_bytes: v.number(),
  submissions_at_once: v.number(),
  idempotency_key_characters: v.number(),
  page_rows: v.number(),
  retention_days: v.number(),
});
