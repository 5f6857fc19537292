/** Lets an admin see, limit and suspend users. Users are hashes: only the identity provider knows their names. */
import type { JSONValue, Sql, TransactionSql } from "postgres";
import type { peeringUserAnswer } from "../../../../lib/base/api/peering-admin.ts";
import type { StoredAnswer } from "../../../../lib/base/api/stored-answer.ts";
import type { TokenVerifier } from "../../../../lib/engines/auth/token-verifier.ts";
import { problem } from "../../../../lib/engines/http/problem.ts";
import { foundUsers, onlyUser, type UserSearch } from "../../../../lib/engines/service/user-search.ts";
import { type ListPage, type PageOrder, readPage } from "../../../../lib/engines/store/postgres/list-page.ts";
import type { Database } from "../../../../lib/engines/store/postgres/open.ts";

export type UserRow = StoredAnswer<typeof peeringUserAnswer>;

export function listUsers(
  database: Database,
  search: UserSearch & PageOrder,
  names: TokenVerifier["names"],
): Promise<ListPage<UserRow>> {
  const { sql } = database;
  return readPage(
    database,
    "admin_users",
    search,
    (limit, after = "") =>
      sql<UserRow[]>`${selectUsers(sql)} ${foundUsers(sql, search, { names, limit, after })}`,
  );
}

/** Throws Problem 404. */
export async function readUser(sql: Sql | TransactionSql, hash: string): Promise<UserRow> {
  return onlyUser(await sql<UserRow[]>`${selectUsers(sql)} WHERE user_hash = ${hash}`);
}

interface UserLimits {
  readonly leases_max?: number | null | undefined;
  readonly lease_hours_max?: number | null | undefined;
  readonly may_poison?: boolean | undefined;
  readonly may_blackhole?: boolean | undefined;
}

/** Undefined members stay unchanged. Live leases are not touched. */
export function limitUser(
  database: Database,
  by: string,
  hash: string,
  limits: UserLimits,
): Promise<UserRow> {
  const given = Object.fromEntries(
    (["leases_max", "lease_hours_max", "may_poison", "may_blackhole"] as const).flatMap((name) => {
      const value = limits[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
  // Exchange servers are notified: they enforce rights.
  const isGrant = limits.may_poison !== undefined || limits.may_blackhole !== undefined;
  const action = isGrant ? "user.grants" : "user.limits";
  return changeUser(database, { by, action, hash, details: given }, async (tx) => {
    if (Object.keys(given).length > 0) {
      await tx`UPDATE users SET ${tx(given)} WHERE user_hash = ${hash}`;
    }
  });
}

export function suspendUser(database: Database, by: string, hash: string, reason: string): Promise<UserRow> {
  return changeUser(database, { by, action: "user.suspend", hash, details: { reason } }, async (tx) => {
    await tx`
      UPDATE users SET suspended_at = coalesce(suspended_at, vantage_now()), suspended_reason = ${reason}
      WHERE user_hash = ${hash}`;
  });
}

export function resumeUser(database: Database, by: string, hash: string): Promise<UserRow> {
  return changeUser(database, { by, action: "user.resume", hash, details: {} }, async (tx) => {
    await tx`UPDATE users SET suspended_at = NULL, suspended_reason = NULL WHERE user_hash = ${hash}`;
  });
}

/** Throws Problem 409 while the user has live leases: their routes would carry an ASN of another user. */
export function releaseAsn(database: Database, by: string, hash: string): Promise<UserRow> {
  const details: Record<string, number | null> = {};
  return changeUser(database, { by, action: "asn.release", hash, details }, async (tx) => {
    await tx`SELECT FROM users WHERE user_hash = ${hash} FOR UPDATE`;
    const { asn, live_leases } = await readUser(tx, hash);
    if (live_leases > 0) {
      throw problem(409, "asn_in_use", `The user has ${live_leases} live leases; revoke them first`);
    }
    // Locks ASN assignment, so that no ASN is skipped by the counter and missing from this list.
    await tx`SELECT pg_advisory_xact_lock(7305870916)`;
    await tx`UPDATE users SET asn = NULL WHERE user_hash = ${hash}`;
    await tx`
      INSERT INTO asns_given_back
      SELECT ${asn}::bigint FROM asn_ranges WHERE first_asn <= ${asn} AND ${asn} < next_asn ON CONFLICT DO NOTHING`;
    // An ended lease must not become live again without an ASN when the clock is set back.
    await tx`SELECT close_expired(${hash}, NULL, vantage_now())`;
    details.asn = asn;
  });
}

interface Change {
  /** Who: see lib/engines/http/require-operator.ts. */
  readonly by: string;
  readonly action: string;
  readonly hash: string;
  readonly details: Readonly<Record<string, JSONValue>>;
}

/** Resolves to the changed user. */
function changeUser(
  database: Database,
  { by, action, hash, details }: Change,
  change: (tx: TransactionSql) => Promise<unknown>,
): Promise<UserRow> {
  return database.timed("admin_user_change", () =>
    database.sql.begin(async (tx) => {
      await change(tx);
      const user = await readUser(tx, hash);
      await tx`SELECT record_change(${by}, ${action}, ${hash}, NULL, ${tx.json(details)})`;
      return user;
    }),
  );
}

function selectUsers(sql: Sql | TransactionSql) {
  return sql`
    SELECT user_hash, asn, leases_max, lease_hours_max, may_poison, may_blackhole, suspended_at, suspended_reason,
      created_at, (
      SELECT count(*) FROM leases
      WHERE leases.user_hash = users.user_hash AND closed_at IS NULL AND end_time > (SELECT vantage_now())
    ) AS live_leases
    FROM users`;
}
