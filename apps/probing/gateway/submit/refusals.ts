/**
 * Keeps refused submissions with their reasons, for `vantage admin trace`: the newest of each user, for a week. Those
 * of a second are written together, so a flood of them costs little.
 */
import type { MiddlewareHandler } from "hono";
import type { HttpEnv } from "../../../../lib/engines/http/app.ts";
import { programOf } from "../../../../lib/engines/http/caller.ts";
import { Problem } from "../../../../lib/engines/http/problem.ts";
import { userOf } from "../../../../lib/engines/http/require-user.ts";
import type { Logger } from "../../../../lib/engines/observe/log.ts";
import { repeatWork } from "../../../../lib/engines/service/repeat-work.ts";
import type { Database } from "../../../../lib/engines/store/postgres/open.ts";
import {
  refusalReasonCharsMax,
  refusalsKeptDays,
  refusalsOfUserMax,
  refusalsWaitingMax,
  refusalsWriteMs,
} from "../limits.ts";
import type { UserDirectory } from "../users/user-directory.ts";

interface Refusal {
  readonly request_id: string;
  readonly user_hash: string;
  readonly refused_at: string;
  readonly status: number;
  readonly code: string;
  readonly reason: string;
  readonly made_by: string | null;
  readonly added_to: string | null;
}

interface RefusalParts {
  readonly database: Database;
  readonly gatewayId: string;
  readonly users: Pick<UserDirectory, "idOf">;
  readonly log: Logger;
  /** Called with the number of refusals that are not kept. */
  readonly onLost: (count: number) => void;
}

export class Refusals implements AsyncDisposable {
  readonly #parts: RefusalParts;
  readonly #work: AsyncDisposable;
  #waiting: Refusal[] = [];

  constructor(parts: RefusalParts) {
    this.#parts = parts;
    this.#work = repeatWork({
      look: async () => {
        await this.#write();
        return refusalsWriteMs;
      },
      complain: (error) => parts.log.error("Cannot store refused submissions", { error }),
      waitMs: refusalsWriteMs,
      waitsFirst: true,
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#work[Symbol.asyncDispose]();
    await this.#write().catch(() => undefined);
  }

  /** Behind the login, before anything that may refuse. */
  readonly middleware: MiddlewareHandler<HttpEnv> = async (c, next) => {
    await next();
    const { error } = c;
    if (error === undefined) {
      return;
    }
    const isProblem = error instanceof Problem;
    await this.#add({
      request_id: c.get("requestId"),
      user_hash: userOf(c).userHash,
      refused_at: new Date().toISOString(),
      status: c.res.status,
      code: isProblem ? error.code : "internal_error",
      reason: isProblem ? error.message.slice(0, refusalReasonCharsMax) : "The gateway failed: see its log",
      made_by: programOf(c.req.header("user-agent") ?? null),
      added_to: c.req.param("id") ?? null,
    });
  };

  /** A user whose first request is refused exists from then on, as one whose first request is accepted. */
  async #add(refusal: Refusal): Promise<void> {
    const { users, onLost } = this.#parts;
    const isKnown = await users.idOf(refusal.user_hash).then(
      () => true,
      () => false,
    );
    if (!isKnown || this.#waiting.length >= refusalsWaitingMax) {
      onLost(1);
      return;
    }
    this.#waiting.push(refusal);
  }

  async #write(): Promise<void> {
    const { database, gatewayId, onLost } = this.#parts;
    const refusals = this.#waiting;
    this.#waiting = [];
    if (refusals.length === 0) {
      return;
    }
    try {
      await database.timed("refusals_write", () => write(database, gatewayId, refusals));
    } catch (error) {
      onLost(refusals.length);
      throw error;
    }
  }
}

async function write({ sql }: Database, gatewayId: string, refusals: readonly Refusal[]): Promise<void> {
  // Users who were erased meanwhile are left out.
  await sql`
    INSERT INTO refused_submissions
      (request_id, user_hash, gateway_id, refused_at, status, code, reason, made_by, added_to)
    SELECT request_id, user_hash, ${gatewayId}, refused_at, status, code, reason, made_by, added_to
    FROM jsonb_to_recordset(${JSON.stringify(refusals)}::text::jsonb) AS refusal (request_id text, user_hash text,
      refused_at timestamptz, status smallint, code text, reason text, made_by text, added_to text)
    JOIN users USING (user_hash)`;
  const hashes = [...new Set(refusals.map(({ user_hash: hash }) => hash))];
  await sql`
    DELETE FROM refused_submissions WHERE refusal_id IN (
      SELECT refusal_id FROM unnest(${hashes}::text[]) AS one (hash), LATERAL (
        SELECT refusal_id FROM refused_submissions WHERE user_hash = hash
        ORDER BY refused_at DESC OFFSET ${refusalsOfUserMax}) AS older)`;
}

/** For the gateway's sweep. */
export async function removeOldRefusals({ sql, timed }: Database): Promise<void> {
  await timed(
    "refusals_expire",
    () => sql`
      DELETE FROM refused_submissions WHERE refused_at < now() - ${refusalsKeptDays} * interval '1 day'`,
  );
}
