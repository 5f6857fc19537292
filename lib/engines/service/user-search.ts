/** An admin's search for users, the same in both gateways: as an HTTP query, and in SQL. The user's row differs. */
import type { Sql } from "postgres";
import * as v from "valibot";
import { problem } from "../http/problem.ts";

/** Query parameters of `GET /admin/users`, besides those that every list has. */
export const userSearchQuery = {
  hash: v.optional(v.pipe(v.string(), v.regex(/^[\da-f]{1,64}$/, "must be the start of a user's hash"))),
  suspended: v.optional(v.picklist(["true", "false"])),
};

export interface UserSearch {
  readonly limit: number;
  /** Hash of the last one seen. */
  readonly after?: string | undefined;
  /** Start of the hash. */
  readonly hash?: string | undefined;
  readonly suspended?: "true" | "false" | undefined;
}

/** The SQL after `SELECT … FROM users`. Gives up to `limit` + 1 rows. */
export function foundUsers(sql: Sql, { limit, after = "", hash = "", suspended }: UserSearch) {
  const condition =
    suspended === undefined ? sql`` : sql`AND (suspended_at IS NOT NULL) = ${suspended === "true"}`;
  return sql`
    WHERE users.user_hash > ${after} AND starts_with(users.user_hash, ${hash}) ${condition}
    ORDER BY users.user_hash LIMIT ${limit + 1}`;
}

/** Throws Problem 404. */
export function onlyUser<Row>([user]: readonly Row[]): Row {
  if (user === undefined) {
    throw problem(404, "unknown_user", "There is no user with this hash");
  }
  return user;
}
