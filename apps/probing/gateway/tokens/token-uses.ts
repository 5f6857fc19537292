/**
 * Counts requests by token and tool, and notes when and from where a token was last used: in memory, written to the
 * database every few seconds, so that a request costs no write. A killed gateway's unwritten counts are lost.
 */
import type { Logger } from "../../../../lib/engines/observe/log.ts";
import type { Database } from "../../../../lib/engines/store/postgres/open.ts";
import { tokenToolsMax, tokenUseDaysKept, tokenUsesFlushMs, tokenUsesHeldMax } from "../limits.ts";

interface Use {
  readonly token_id: string;
  readonly tool: string;
  requests: number;
  at: string;
  address: string | null;
}

export class TokenUses implements AsyncDisposable {
  readonly #database: Database;
  readonly #log: Logger;
  readonly #timer: ReturnType<typeof setInterval>;
  #held = new Map<string, Use>();
  #lost = 0;
  #writing = Promise.resolve();

  constructor(database: Database, log: Logger) {
    this.#database = database;
    this.#log = log;
    this.#timer = setInterval(() => void this.flush(), tokenUsesFlushMs);
  }

  note(tokenId: string, { tool, address }: { readonly tool: string; readonly address: string | null }): void {
    const key = `${tokenId} ${tool}`;
    const use = this.#held.get(key);
    const at = new Date().toISOString();
    if (use !== undefined) {
      Object.assign(use, { requests: use.requests + 1, at, address: address ?? use.address });
    } else if (this.#held.size < tokenUsesHeldMax) {
      this.#held.set(key, { token_id: tokenId, tool, requests: 1, at, address });
    } else {
      this.#lost++;
    }
  }

  /** Never rejects: while the database is unreachable the counts stay in memory. */
  flush(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }

  async #write(): Promise<void> {
    const uses = [...this.#held.values()];
    if (uses.length === 0) {
      return;
    }
    this.#held = new Map();
    try {
      await this.#database.timed("token_uses", () => writeUses(this.#database, uses));
      if (this.#lost > 0) {
        this.#log.warn("Requests with API tokens were not counted: too many tokens at once", {
          requests: this.#lost,
        });
        this.#lost = 0;
      }
    } catch (error) {
      this.#takeBack(uses);
      this.#log.warn("Cannot write down the use of API tokens; trying again", { error });
    }
  }

  #takeBack(uses: readonly Use[]): void {
    for (const use of uses) {
      const key = `${use.token_id} ${use.tool}`;
      const later = this.#held.get(key);
      this.#held.set(key, later === undefined ? use : { ...later, requests: later.requests + use.requests });
    }
  }
}

/** Tools beyond the day's maximum count as `other`. Deleted tokens are not counted. */
async function writeUses({ sql }: Database, uses: readonly Use[]): Promise<void> {
  const given = sql.json(uses.map((use) => ({ ...use })));
  await sql.begin(async (tx) => {
    await tx`
      WITH given AS (
        SELECT * FROM jsonb_to_recordset(${given}) AS use (token_id uuid, tool text, requests bigint)
      ), today AS (SELECT (now() AT TIME ZONE 'UTC')::date AS day), known AS (
        SELECT token_id, tool FROM api_token_uses JOIN today USING (day)
        WHERE token_id IN (SELECT token_id FROM given)
      ), placed AS (
        SELECT given.token_id, requests, CASE
          WHEN known.tool IS NOT NULL THEN given.tool
          WHEN (SELECT count(*) FROM known AS seen WHERE seen.token_id = given.token_id) + row_number()
            OVER (PARTITION BY given.token_id, known.tool IS NULL ORDER BY given.tool) < ${tokenToolsMax}
            THEN given.tool
          ELSE 'other' END AS tool
        FROM given LEFT JOIN known USING (token_id, tool)
      )
      INSERT INTO api_token_uses AS use (token_id, day, tool, requests)
      SELECT token_id, day, tool, sum(requests) FROM placed JOIN api_tokens USING (token_id), today
      GROUP BY token_id, day, tool
      ON CONFLICT (token_id, day, tool) DO UPDATE SET requests = use.requests + excluded.requests`;
    await tx`
      UPDATE api_tokens AS token SET last_used_at = latest.at, last_used_from = latest.address
      FROM (
        SELECT DISTINCT ON (token_id) token_id, at, address
        FROM jsonb_to_recordset(${given}) AS use (token_id uuid, at timestamptz, address inet)
        ORDER BY token_id, at DESC
      ) AS latest
      WHERE token.token_id = latest.token_id AND coalesce(token.last_used_at < latest.at, true)`;
    await tx`
      DELETE FROM api_token_uses WHERE day < (now() AT TIME ZONE 'UTC')::date - ${tokenUseDaysKept}::integer
        AND token_id = ANY(${uses.map(({ token_id }) => token_id)}::uuid[])`;
  });
}
