/** Sessions in the database: limited per person; ended by time, by the person, or with the tokens. */
import type { Sql, TransactionSql } from "postgres";
import * as v from "valibot";
import { renewingMs, seenEveryMs, sessionIdleMs, sessionMs, sessionsPerUserMax } from "../limits.ts";
import { makeSecret, type SessionSecret, seal, unseal } from "./session-secret.ts";

const tokensSchema = v.object({
  access: v.string(),
  /** Null = the session ends with the access token. */
  refresh: v.nullable(v.string()),
  /** When the access token ends; milliseconds since 1970. */
  expiresAtMs: v.number(),
});
export type SessionTokens = v.InferOutput<typeof tokensSchema>;

/** The required part of lib/engines/store/postgres. */
export interface SessionDatabase {
  readonly sql: Sql;
  timed<Answer>(name: string, ask: () => PromiseLike<Answer>): Promise<Answer>;
}

interface Row {
  readonly tokens: Uint8Array;
}

export class SessionStore {
  readonly #database: SessionDatabase;

  constructor(database: SessionDatabase) {
    this.#database = database;
  }

  /** Always a new secret, against session fixation. */
  async begin(userHash: string, tokens: SessionTokens): Promise<SessionSecret> {
    const secret = makeSecret();
    const { sql, timed } = this.#database;
    await timed("console_session_begin", () =>
      sql.begin(async (tx) => {
        await tx`DELETE FROM console_sessions WHERE ends_at < now() OR ${isIdle(tx)}`;
        await tx`
          DELETE FROM console_sessions WHERE session_id IN (
            SELECT session_id FROM console_sessions WHERE user_hash = ${userHash}
            ORDER BY began_at DESC OFFSET ${sessionsPerUserMax - 1})`;
        await tx`
          INSERT INTO console_sessions (session_id, user_hash, tokens, ends_at)
          VALUES (${secret.id}, ${userHash}, ${seal(secret, JSON.stringify(tokens))},
            now() + ${sessionMs} * interval '1 millisecond')`;
      }),
    );
    return secret;
  }

  /** Null = there is none, or it has ended. */
  async read(secret: SessionSecret): Promise<SessionTokens | null> {
    const { sql, timed } = this.#database;
    const [row] = await timed(
      "console_session_read",
      () => sql<(Row & { is_due: boolean })[]>`
        SELECT tokens, seen_at < now() - ${seenEveryMs} * interval '1 millisecond' AS is_due FROM console_sessions
        WHERE session_id = ${secret.id} AND ends_at > now() AND NOT ${isIdle(sql)}`,
    );
    if (row?.is_due === true) {
      await sql`UPDATE console_sessions SET seen_at = now() WHERE session_id = ${secret.id}`;
    }
    return row === undefined ? null : tokensOf(secret, row);
  }

  /** Claims the renewal and returns the current tokens; null = another request is renewing them. */
  async claimRenewal(secret: SessionSecret): Promise<SessionTokens | null> {
    const { sql, timed } = this.#database;
    const [row] = await timed(
      "console_session_claim",
      () => sql<Row[]>`
        UPDATE console_sessions SET renewing_until = now() + ${renewingMs} * interval '1 millisecond'
        WHERE session_id = ${secret.id} AND (renewing_until IS NULL OR renewing_until < now())
        RETURNING tokens`,
    );
    return row === undefined ? null : tokensOf(secret, row);
  }

  /** Null = release the claim; the tokens stay. */
  async endRenewal(secret: SessionSecret, tokens: SessionTokens | null): Promise<void> {
    const { sql, timed } = this.#database;
    const sealed = tokens === null ? null : seal(secret, JSON.stringify(tokens));
    await timed(
      "console_session_renew",
      () => sql`
        UPDATE console_sessions SET renewing_until = NULL, tokens = coalesce(${sealed}, tokens)
        WHERE session_id = ${secret.id}`,
    );
  }

  /** Does not count as use: an open stream keeps no session alive. */
  async isLive({ id }: SessionSecret): Promise<boolean> {
    const { sql, timed } = this.#database;
    const found = await timed(
      "console_session_live",
      () =>
        sql`SELECT FROM console_sessions WHERE session_id = ${id} AND ends_at > now() AND NOT ${isIdle(sql)}`,
    );
    return found.length > 0;
  }

  async end({ id }: SessionSecret): Promise<void> {
    const { sql, timed } = this.#database;
    await timed("console_session_end", () => sql`DELETE FROM console_sessions WHERE session_id = ${id}`);
  }
}

function isIdle(sql: Sql | TransactionSql) {
  return sql`seen_at < now() - ${sessionIdleMs} * interval '1 millisecond'`;
}

/** Null for tokens of another version of this program, or of a modified row. */
function tokensOf(secret: SessionSecret, { tokens }: Row): SessionTokens | null {
  try {
    const read = v.safeParse(tokensSchema, JSON.parse(unseal(secret, tokens)));
    return read.success ? read.output : null;
  } catch {
    return null;
  }
}
