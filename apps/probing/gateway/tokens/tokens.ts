/** Creates, lists and revokes a user's API tokens. */
import type { Sql, TransactionSql } from "postgres";
import type { ObjectKind, Scope } from "../../../../lib/base/api/scopes.ts";
import type { StoredAnswer } from "../../../../lib/base/api/stored-answer.ts";
import type { tokenAnswer, tokenUseAnswer } from "../../../../lib/base/api/tokens.ts";
import { makeApiToken } from "../../../../lib/engines/auth/api-token.ts";
import { hashKey } from "../../../../lib/engines/auth/secret-key.ts";
import type { Identity } from "../../../../lib/engines/auth/token-verifier.ts";
import type { Owned } from "../../../../lib/engines/http/owned.ts";
import { Problem, problem } from "../../../../lib/engines/http/problem.ts";
import { type ListPage, type PageOrder, readPage } from "../../../../lib/engines/store/postgres/list-page.ts";
import type { Database } from "../../../../lib/engines/store/postgres/open.ts";
import { rowOf } from "../../../../lib/engines/store/postgres/row-of.ts";
import { deadTokenDaysKept, tokensOfUserMax } from "../limits.ts";

type TokenRow = StoredAnswer<typeof tokenAnswer>;

export interface TokenOrder {
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** The object that it is restricted to; null = all of the user's. */
  readonly object: Owned | null;
  readonly probesPerDay: number | null;
  readonly expiresAt: Date;
}

/** Throws Problem: 404 for an object that is not the user's, 429 beyond the limit. */
export async function makeToken(
  database: Database,
  { userHash, grant }: Identity,
  order: TokenOrder,
): Promise<TokenRow & { readonly token: string }> {
  const id = crypto.randomUUID();
  const token = makeApiToken();
  const row = await database.timed("token_make", () =>
    database.sql.begin(async (tx) => {
      await lockUser(tx, userHash);
      await checkMaker(tx, grant);
      await makeRoom(tx, userHash);
      await checkObject(tx, order);
      await tx`
        INSERT INTO api_tokens (token_id, token_hash, user_hash, name, scopes, measurement_id, campaign_id,
          probes_per_day_max, made_by, expires_at)
        VALUES (${id}, ${hashKey(token)}, ${userHash}, ${order.name}, ${[...order.scopes]},
          ${idOf(order, "measurement")}, ${idOf(order, "campaign")}, ${order.probesPerDay},
          ${grant?.tokenId ?? null}, ${order.expiresAt})`;
      const [made] = await select(tx, tx`token_id = ${id}`, 1);
      return made;
    }),
  );
  if (row === undefined) {
    throw new Error("Cannot find the token that was made");
  }
  return { ...row, token };
}

/** Serialises counting, creating and revoking one user's tokens. */
async function lockUser(tx: TransactionSql, userHash: string): Promise<void> {
  await tx`SELECT FROM users WHERE user_hash = ${userHash} FOR UPDATE`;
}

/** A token revoked during its last request must not leave a new token behind. */
async function checkMaker(tx: TransactionSql, grant: Identity["grant"]): Promise<void> {
  if (grant === undefined) {
    return;
  }
  const [live] = await tx`SELECT FROM api_tokens WHERE token_id = ${grant.tokenId} AND revoked_at IS NULL`;
  if (live === undefined) {
    throw problem(403, "revoked_token", "The token was revoked a moment ago");
  }
}

async function makeRoom(tx: TransactionSql, userHash: string): Promise<void> {
  await tx`
    DELETE FROM api_tokens WHERE user_hash = ${userHash}
      AND least(revoked_at, expires_at) < now() - ${deadTokenDaysKept} * interval '1 day'`;
  const held = await tx<{ tokens: number }[]>`
    SELECT count(*)::integer AS tokens FROM api_tokens WHERE user_hash = ${userHash}`;
  if (rowOf(held).tokens >= tokensOfUserMax) {
    throw new Problem({
      status: 429,
      code: "too_many_tokens",
      message:
        `You have ${tokensOfUserMax} tokens, those that ended in the last ${deadTokenDaysKept} days among them: ` +
        "use one for several programs, or wait",
    });
  }
}

function idOf({ object }: TokenOrder, kind: ObjectKind): string | null {
  return object?.kind === kind ? object.id : null;
}

async function checkObject(tx: TransactionSql, { object }: TokenOrder): Promise<void> {
  if (object === null) {
    return;
  }
  const { kind, id, userHash } = object;
  const [found] =
    kind === "measurement"
      ? await tx`
          SELECT FROM measurements
          WHERE measurement_id = ${id} AND user_hash = ${userHash} AND part_of IS NULL`
      : await tx`SELECT FROM campaigns WHERE campaign_id = ${id} AND user_hash = ${userHash}`;
  if (found === undefined) {
    throw problem(
      404,
      "object_not_found",
      "Cannot narrow the token: you have no such measurement or campaign",
    );
  }
}

/** The newest first. */
export function listTokens(
  database: Database,
  userHash: string,
  page: PageOrder,
): Promise<ListPage<TokenRow>> {
  const { sql } = database;
  const beyond = (after: string | undefined) =>
    after === undefined
      ? sql``
      : sql`AND (created_at, token_id) < (
          SELECT created_at, token_id FROM api_tokens
          WHERE token_id = ${after} AND user_hash = ${userHash})`;
  return readPage(database, "token_list", page, (limit, after) =>
    select(sql, sql`user_hash = ${userHash} ${beyond(after)}`, limit),
  );
}

function select(sql: Sql | TransactionSql, where: ReturnType<Sql>, limit: number) {
  return sql<TokenRow[]>`
    SELECT token_id AS id, name, scopes, measurement_id, campaign_id, probes_per_day_max AS probes_per_day, made_by,
      CASE WHEN revoked_at IS NOT NULL THEN 'revoked' WHEN expires_at <= now() THEN 'expired' ELSE 'live' END AS state,
      created_at, expires_at, revoked_at, last_used_at, host(last_used_from) AS last_used_from,
      coalesce((SELECT charged FROM api_token_days AS spent
        WHERE spent.token_id = token.token_id AND day = (now() AT TIME ZONE 'UTC')::date), 0)::bigint AS probes_today
    FROM api_tokens AS token WHERE ${where} ORDER BY created_at DESC, token_id DESC LIMIT ${limit}`;
}

/** Ends the token and, recursively, those that it created. Throws Problem 404. */
export async function revokeToken({ sql, timed }: Database, userHash: string, id: string): Promise<TokenRow> {
  const [row] = await timed("token_revoke", () =>
    sql.begin(async (tx) => {
      await lockUser(tx, userHash);
      await tx`
        WITH RECURSIVE ending AS (
          SELECT token_id FROM api_tokens WHERE token_id = ${id} AND user_hash = ${userHash}
          UNION SELECT made.token_id FROM api_tokens AS made JOIN ending ON made.made_by = ending.token_id
        )
        UPDATE api_tokens AS token SET revoked_at = now() FROM ending
        WHERE token.token_id = ending.token_id AND revoked_at IS NULL`;
      return await select(tx, tx`token_id = ${id} AND user_hash = ${userHash}`, 1);
    }),
  );
  if (row === undefined) {
    throw unknownToken();
  }
  return row;
}

/** Requests by day and tool, the last days first. Throws Problem 404. */
export async function tokenUses(
  { sql, timed }: Database,
  userHash: string,
  id: string,
): Promise<StoredAnswer<typeof tokenUseAnswer>[]> {
  return timed("token_read_uses", async () => {
    const [own] = await sql`SELECT FROM api_tokens WHERE token_id = ${id} AND user_hash = ${userHash}`;
    if (own === undefined) {
      throw unknownToken();
    }
    return await sql<StoredAnswer<typeof tokenUseAnswer>[]>`
      SELECT day::text, tool, requests FROM api_token_uses WHERE token_id = ${id}
      ORDER BY day DESC, requests DESC, tool`;
  });
}

function unknownToken(): Problem {
  return problem(404, "token_not_found", "Token not found");
}
