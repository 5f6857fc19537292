/** GET /api/limits: the caller's and the gateway's limits. */
import { Hono } from "hono";
import { limitsAnswer } from "../../../lib/base/api/users.ts";
import type { HttpEnv } from "../../../lib/engines/http/app.ts";
import { describe } from "../../../lib/engines/http/describe.ts";
import { requireUser, userOf } from "../../../lib/engines/http/require-user.ts";
import { targetsMax } from "../../../lib/engines/submission/limits.ts";
import { storedBytes } from "../campaigns/stored-bytes.ts";
import {
  idempotencyKeyCharsMax,
  jsonBytesMax,
  pageRowsMax,
  streamBytesMax,
  submissionsOfUserMax,
} from "./limits.ts";
import type { Services } from "./services.ts";
import { sqlDayOf } from "./sql/sql-days.ts";
import type { Quotas } from "./users/quota.ts";
import type { UserDirectory } from "./users/user-directory.ts";

const description = describe({
  summary: "The caller's limits, and the gateway's",
  tags: ["users"],
  auth: "user",
  ok: limitsAnswer,
});

interface LimitsServices extends Services {
  readonly users: UserDirectory;
  readonly quotas: Quotas;
}

export function limitsRoutes({
  config,
  database,
  quotas,
  users,
  tokens,
  metrics,
}: LimitsServices): Hono<HttpEnv> {
  const { limits } = config;
  const app = new Hono<HttpEnv>();
  app.get("/api/limits", description, requireUser(tokens, metrics.http), async (c) => {
    const { userHash } = userOf(c);
    await users.idOf(userHash);
    const quota = await quotas.of(userHash);
    const { limit = limits.probesPerDay, used = 0, day_ends_in_sec = 0 } = quota ?? {};
    const stored = await database.timed("stored_bytes", () => storedBytes(database.sql, userHash));
    const sqlDay = await sqlDayOf(database, userHash);
    const { bytes_limit = limits.submissionBytesPerDay, bytes_used = 0 } = quota ?? {};
    return c.json({
      probes_per_day: ofDay(limit, used, day_ends_in_sec),
      submission_bytes_per_day: ofDay(bytes_limit, bytes_used, day_ends_in_sec),
      stored_bytes: {
        limit: limits.storedBytesPerUser,
        used: stored,
        remaining: Math.max(0, limits.storedBytesPerUser - stored),
      },
      sql_seconds_per_day: ofDay(
        config.sql.secondsPerDay,
        Math.ceil(sqlDay.used_ms / 1000),
        sqlDay.day_ends_in_sec,
      ),
      submissions_per_minute: limits.submissionsPerMinute,
      prefix_probes_per_day: limits.prefixProbesPerDay,
      destination_packets_per_second: {
        address_by_user: limits.userAddressRate,
        address: limits.addressRate,
        network: limits.networkRate,
      },
      probes_per_submission: limits.submissionProbesMax,
      agents_per_submission: targetsMax,
      json_body_bytes: jsonBytesMax,
      stream_body_bytes: streamBytesMax,
      submissions_at_once: submissionsOfUserMax,
      idempotency_key_characters: idempotencyKeyCharsMax,
      page_rows: pageRowsMax,
      retention_days: limits.retentionDays,
    });
  });
  return app;
}

function ofDay(limit: number, used: number, resets_in_seconds: number) {
  return { limit, used, remaining: Math.max(0, limit - used), resets_in_seconds };
}
