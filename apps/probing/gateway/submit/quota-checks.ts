/** Checks a submission against the user's daily quota before acceptance, and explains a refusal by the database. */
import type { Owned } from "../../../../lib/engines/http/owned.ts";
import { Problem, problem } from "../../../../lib/engines/http/problem.ts";
import { rowOf } from "../../../../lib/engines/store/postgres/row-of.ts";
import type { Reachability } from "../agents/reachability.ts";
import { pacedOfUserMax } from "../limits.ts";
import { checkLabelRoom, type Labels } from "../measurements/labels.ts";
import type { Services } from "../services.ts";
import {
  bytesExceeded,
  type QuotaState,
  type Quotas,
  quotaExceeded,
  suspended,
  tokenQuotaExceeded,
} from "../users/quota.ts";
import type { Publishing, SubmittingToken } from "./acceptance.ts";
import { findOpen } from "./addition.ts";
import { type Assignment, cannotSend } from "./assignment.ts";
import { checkReachability } from "./who-can-probe.ts";

interface CheckServices extends Pick<Services, "database" | "metrics" | "config"> {
  readonly quotas: Quotas;
  readonly reachability: Pick<Reachability, "forMs">;
}

interface Submitted {
  readonly userHash: string;
  /** The open measurement for these probes; null = a new one. */
  readonly whole: Owned | null;
  readonly token: SubmittingToken | null;
}

interface Paced {
  readonly userHash: string;
  readonly publishing: Publishing;
}

interface Labelled {
  readonly userHash: string;
  readonly labels: Labels;
}

export class QuotaChecks {
  readonly #services: CheckServices;
  readonly #quota: QuotaState;

  /** `quota` at the start of the submission. */
  constructor(services: CheckServices, quota: QuotaState) {
    this.#services = services;
    this.#quota = quota;
  }

  /** Throws Problem. An exhausted quota is reported before missing agents, as in existing gateways. */
  assignment(assignment: Assignment, requested: number, probes: number): void {
    const { targets, rejected, unsendable, isSilent } = assignment;
    const asked = probes * (targets.length || Math.max(1, requested));
    const { used, limit } = this.#quota;
    if (used + (targets.length === 0 ? probes : asked) > limit) {
      this.#services.metrics.http.quotaViolation();
      throw quotaExceeded(this.#quota, asked);
    }
    checkReachability(isSilent, this.#services.reachability);
    if (targets.length === 0 && unsendable !== null) {
      throw cannotSend(rejected.filter(({ reason }) => reason === unsendable));
    }
    if (targets.length === 0) {
      throw new Problem({
        status: 400,
        code: "no_healthy_agents",
        message: "No healthy agents found for the requested measurement",
        extra: { rejected },
      });
    }
  }

  /** Throws Problem 429 when the user has too many measurements with an interval in progress. */
  async paced({ userHash, publishing }: Paced): Promise<void> {
    if (publishing.intervalMs === null) {
      return;
    }
    const { sql, timed } = this.#services.database;
    const counted = await timed(
      "measurement_paced",
      () => sql<{ paced: number }[]>`
        SELECT count(*)::integer AS paced FROM measurements
        WHERE user_hash = ${userHash} AND interval_ms IS NOT NULL AND published_at IS NULL AND ended_at IS NULL`,
    );
    if (rowOf(counted).paced >= pacedOfUserMax) {
      throw problem(
        429,
        "too_many_paced",
        `${pacedOfUserMax} of your measurements with an interval are in progress: wait, or cancel one`,
      );
    }
  }

  /** Throws Problem 429 when the user's storage has no room for its name, tags and note. */
  async labelled({ userHash, labels }: Labelled): Promise<void> {
    const { database, config } = this.#services;
    await checkLabelRoom(database, { userHash, labels, bytesMax: config.limits.storedBytesPerUser });
  }

  tooManyBytes(quota: QuotaState, bytes: number): Problem {
    this.#services.metrics.http.quotaViolation();
    return bytesExceeded(quota, bytes);
  }

  /** The quota, the user's permission or the open measurement has changed since the first check. */
  async whyRefused({ userHash, whole, token }: Submitted, asked: number, bytes: number): Promise<Problem> {
    const { database, quotas, metrics } = this.#services;
    if (whole !== null) {
      await findOpen(database, whole);
    }
    const quota = await quotas.of(userHash);
    if (quota === null || quota.suspended_at !== null) {
      return suspended(quota?.suspended_reason ?? null);
    }
    if (quota.bytes_used + bytes > quota.bytes_limit) {
      return this.tooManyBytes(quota, bytes);
    }
    metrics.http.quotaViolation();
    return (await this.#tokenExceeded(token, quota, asked)) ?? quotaExceeded(quota, asked);
  }

  /** Null = the token has enough left. */
  async #tokenExceeded(
    token: SubmittingToken | null,
    quota: QuotaState,
    asked: number,
  ): Promise<Problem | null> {
    const limit = token?.probesPerDayMax ?? null;
    if (token === null || limit === null) {
      return null;
    }
    const { sql, timed } = this.#services.database;
    const [spent] = await timed(
      "token_spent",
      () => sql<{ used: number }[]>`
        SELECT charged AS used FROM api_token_days
        WHERE token_id = ${token.id} AND day = (now() AT TIME ZONE 'UTC')::date`,
    );
    const { used = 0 } = spent ?? {};
    return used + asked > limit ? tokenQuotaExceeded(quota, { used, limit, asked }) : null;
  }
}
