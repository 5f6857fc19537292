/** An admin's search for users, the same in both gateways: as an HTTP query, and in SQL. The user's row differs. */
import type { Sql } from "postgres";
import * as v from "valibot";
import type { KnownNames } from "../auth/known-names.ts";
import { userHashOf } from "../auth/token-verifier.ts";
import { problem } from "../http/problem.ts";

/** Characters of a text that stands for a user: a subject has at most as many bytes. */
const whoCharsMax = 1024;

/** Query parameters of `GET /admin/users`, besides those that every list has. */
export const userSearchQuery = {
  hash: v.optional(v.pipe(v.string(), v.regex(/^[\da-f]{1,64}$/, "must be the start of a user's hash"))),
  suspended: v.optional(v.picklist(["true", "false"])),
  who: v.pipe(
    v.optional(v.pipe(v.string(), v.minLength(1, "must not be empty"), v.maxLength(whoCharsMax))),
    v.description("A subject, a number, a name that is known, a hash, or its first 8 characters or more"),
  ),
};

export interface UserSearch {
  /** Start of the hash. */
  readonly hash?: string | undefined;
  readonly suspended?: "true" | "false" | undefined;
  /** Whoever may be meant by this text. */
  readonly who?: string | undefined;
}

/** What a gateway knows of its users, beside their hashes. */
interface Known {
  /** Left out: no names. */
  readonly names?: Pick<KnownNames, "hashesOf"> | undefined;
  /** Where the users' numbers are; left out: they have none here. */
  readonly numberColumn?: string | null;
}

/** The SQL after `SELECT … FROM users`: up to `limit` rows after a hash. */
export function foundUsers(
  sql: Sql,
  { hash = "", suspended, who }: UserSearch,
  { limit, after, ...known }: Known & { readonly limit: number; readonly after: string },
) {
  const condition =
    suspended === undefined ? sql`` : sql`AND (suspended_at IS NOT NULL) = ${suspended === "true"}`;
  return sql`
    WHERE users.user_hash > ${after} AND starts_with(users.user_hash, ${hash}) ${condition}
      ${who === undefined ? sql`` : sql`AND (${isMeant(sql, who, known)})`}
    ORDER BY users.user_hash LIMIT ${limit}`;
}

function isMeant(sql: Sql, who: string, { names, numberColumn = null }: Known) {
  const hashes = [userHashOf(who), ...(names?.hashesOf(who) ?? [])];
  const column = /^\d{1,10}$/.test(who) ? numberColumn : null;
  return sql`
    users.user_hash = ANY(${hashes})
    ${/^[\da-f]{8,64}$/.test(who) ? sql`OR starts_with(users.user_hash, ${who})` : sql``}
    ${column === null ? sql`` : sql`OR ${sql(column)} = ${who}::bigint`}`;
}

/** Throws Problem 404. */
export function onlyUser<Row>([user]: readonly Row[]): Row {
  if (user === undefined) {
    throw problem(404, "unknown_user", "There is no user with this hash");
  }
  return user;
}
