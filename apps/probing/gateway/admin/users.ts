/** Users, as an admin sees and limits them. Users are hashes: only the identity provider has their names. */
import type { Sql, TransactionSql } from "postgres";
import type { probingUserAnswer } from "../../../../lib/base/api/probing-admin.ts";
import type { StoredAnswer } from "../../../../lib/base/api/stored-answer.ts";
import type { TokenVerifier } from "../../../../lib/engines/auth/token-verifier.ts";
import { foundUsers, onlyUser, type UserSearch } from "../../../../lib/engines/service/user-search.ts";
import { type ListPage, type PageOrder, readPage } from "../../../../lib/engines/store/postgres/list-page.ts";
import type { Database } from "../../../../lib/engines/store/postgres/open.ts";
import { writeAudit } from "../audit.ts";

export type UserRow = StoredAnswer<typeof probingUserAnswer>;

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
      sql<
        UserRow[]
      >`${selectUsers(sql)} ${foundUsers(sql, search, { names, numberColumn: "users.user_id", limit, after })}`,
  );
}

/** Throws Problem 404. */
export async function readUser(sql: Sql | TransactionSql, hash: string): Promise<UserRow> {
  return onlyUser(await sql<UserRow[]>`${selectUsers(sql)} WHERE users.user_hash = ${hash}`);
}

interface UserLimits {
  readonly probes_per_day_max?: number | null | undefined;
  readonly rate_probes_per_sec_max?: number | null | undefined;
  readonly may_record_packets?: boolean | undefined;
}

/** Undefined members stay unchanged. */
export function limitUser(
  database: Database,
  by: string,
  hash: string,
  limits: UserLimits,
): Promise<UserRow> {
  const {
    probes_per_day_max: perDay,
    rate_probes_per_sec_max: perSec,
    may_record_packets: mayRecord,
  } = limits;
  const details = {
    ...(perDay === undefined ? {} : { probes_per_day_max: perDay }),
    ...(perSec === undefined ? {} : { rate_probes_per_sec_max: perSec }),
    ...(mayRecord === undefined ? {} : { may_record_packets: mayRecord }),
  };
  return changeUser(database, { by, action: "user.limits", hash, details }, async (tx) => {
    await tx`UPDATE users SET user_hash = user_hash ${
      perDay === undefined ? tx`` : tx`, probes_per_day_max = ${perDay}`
    } ${perSec === undefined ? tx`` : tx`, rate_probes_per_sec_max = ${perSec}`} ${
      mayRecord === undefined ? tx`` : tx`, may_record_packets = ${mayRecord}`
    } WHERE user_hash = ${hash}`;
  });
}

export function suspendUser(database: Database, by: string, hash: string, reason: string): Promise<UserRow> {
  return changeUser(database, { by, action: "user.suspend", hash, details: { reason } }, async (tx) => {
    await tx`
      UPDATE users SET suspended_at = coalesce(suspended_at, now()), suspended_reason = ${reason}
      WHERE user_hash = ${hash}`;
  });
}

export function resumeUser(database: Database, by: string, hash: string): Promise<UserRow> {
  return changeUser(database, { by, action: "user.resume", hash, details: {} }, async (tx) => {
    await tx`UPDATE users SET suspended_at = NULL, suspended_reason = NULL WHERE user_hash = ${hash}`;
  });
}

interface Change {
  /** The actor: see lib/engines/http/require-operator.ts. */
  readonly by: string;
  readonly action: string;
  readonly hash: string;
  readonly details: Readonly<Record<string, string | number | boolean | null>>;
}

function changeUser(
  database: Database,
  { by, action, hash, details }: Change,
  change: (tx: TransactionSql) => Promise<void>,
): Promise<UserRow> {
  return database.timed("admin_user_change", () =>
    database.sql.begin(async (tx) => {
      await change(tx);
      const user = await readUser(tx, hash);
      await writeAudit(tx, { actor: by, action, subject: `user:${hash}`, details });
      return user;
    }),
  );
}

function selectUsers(sql: Sql | TransactionSql) {
  return sql`
    SELECT users.user_hash, user_id, probes_per_day_max, rate_probes_per_sec_max, may_record_packets, suspended_at,
      suspended_reason, created_at, coalesce(charged - credited, 0) AS used_today
    FROM users LEFT JOIN quota_days AS quota
      ON quota.user_hash = users.user_hash AND day = (now() AT TIME ZONE 'UTC')::date`;
}
