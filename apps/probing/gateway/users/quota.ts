/** A user's usage and limits in the UTC day. */
import { Problem, problem } from "../../../../lib/engines/http/problem.ts";
import { Together } from "../../../../lib/engines/service/together.ts";
import type { Database } from "../../../../lib/engines/store/postgres/open.ts";
import type { LimitsConfig } from "../config.ts";
import { dayBytesOfProbe, sharedAsksMax } from "../limits.ts";

export interface QuotaState {
  /** Probes x agents of today, minus refunds. */
  readonly used: number;
  readonly limit: number;
  readonly submissions: number;
  /** Time of the last submission, on any day. */
  readonly last_submitted_at: Date | null;
  readonly suspended_at: Date | null;
  readonly suspended_reason: string | null;
  /** Bytes of today's accepted submissions, unpacked. */
  readonly bytes_used: number;
  readonly bytes_limit: number;
  /** Until the next UTC day. */
  readonly day_ends_in_sec: number;
}

/** The default limits of the gateway's configuration. */
export type DayLimits = Pick<LimitsConfig, "probesPerDay" | "submissionBytesPerDay">;

interface UserState extends QuotaState {
  readonly user_hash: string;
}

/** Users' states, which concurrent requests read in one statement. Costs the same at any number of measurements. */
export class Quotas {
  readonly #together: Together<string, UserState | null>;

  constructor(database: Database, limits: DayLimits) {
    this.#together = new Together({
      asksMax: sharedAsksMax,
      underWayMax: 1,
      answer: async (userHashes) => {
        const states = await readStates(database, [...new Set(userHashes)], limits);
        const byUser = new Map(states.map((state) => [state.user_hash, state]));
        return (userHash) => byUser.get(userHash) ?? null;
      },
    });
  }

  /** Null = no such user yet. */
  of(userHash: string): Promise<QuotaState | null> {
    return this.#together.ask(userHash);
  }
}

function readStates(
  { sql, timed }: Database,
  userHashes: string[],
  { probesPerDay, submissionBytesPerDay }: DayLimits,
): Promise<UserState[]> {
  return timed(
    "quota_read",
    () => sql<UserState[]>`
      SELECT users.user_hash, probes_max AS limit,
        CASE WHEN is_today THEN charged - credited ELSE 0 END AS used,
        greatest(${submissionBytesPerDay}, ${dayBytesOfProbe} * probes_max)::bigint AS bytes_limit,
        CASE WHEN is_today THEN bytes ELSE 0 END AS bytes_used,
        CASE WHEN is_today THEN submissions ELSE 0 END AS submissions,
        last_submitted_at, suspended_at, suspended_reason,
        ceil(extract(epoch FROM (today + 1)::timestamp AT TIME ZONE 'UTC' - now()))::integer AS day_ends_in_sec
      FROM users, LATERAL (
        SELECT (now() AT TIME ZONE 'UTC')::date, coalesce(probes_per_day_max, ${probesPerDay})::bigint
      ) AS clock (today, probes_max)
      LEFT JOIN LATERAL (
        SELECT *, day = today AS is_today FROM quota_days
        WHERE quota_days.user_hash = users.user_hash ORDER BY day DESC LIMIT 1
      ) AS latest ON true
      WHERE users.user_hash = ANY(${userHashes})`,
  );
}

/** 429 with the figures and the time to retry. `asked` = probes x agents of the submission. */
export function quotaExceeded({ used, limit, day_ends_in_sec }: QuotaState, asked: number): Problem {
  return exceeded("quota_exceeded", "Daily probe limit exceeded", { used, limit, asked, day_ends_in_sec });
}

/** 429 likewise, where the API token has a quota of its own. */
export function tokenQuotaExceeded(
  { day_ends_in_sec }: QuotaState,
  { used, limit, asked }: { readonly used: number; readonly limit: number; readonly asked: number },
): Problem {
  const message = "The API token's own daily probe limit is exceeded";
  return exceeded("token_quota_exceeded", message, { used, limit, asked, day_ends_in_sec });
}

/** 429 likewise. `asked` = bytes of the submission, or those read until the limit. */
export function bytesExceeded(
  { bytes_used, bytes_limit, day_ends_in_sec }: QuotaState,
  asked: number,
): Problem {
  const figures = { used: bytes_used, limit: bytes_limit, asked, day_ends_in_sec };
  return exceeded("bytes_exceeded", "Your submissions of today have too many bytes", figures);
}

interface Excess {
  readonly used: number;
  readonly limit: number;
  readonly asked: number;
  readonly day_ends_in_sec: number;
}

function exceeded(code: string, message: string, { used, limit, asked, day_ends_in_sec }: Excess): Problem {
  return new Problem({
    status: 429,
    code,
    message,
    headers: { "retry-after": String(day_ends_in_sec) },
    extra: { used, limit, requested: asked, remaining: Math.max(0, limit - used) },
  });
}

/** 403. */
export function suspended(reason: string | null): Problem {
  const why = reason === null ? "" : `: ${reason}`;
  return problem(403, "user_suspended", `You may not measure${why}`);
}
