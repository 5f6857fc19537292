/** Takes a user out of this gateway, or hands over all that it keeps about one. */
import type { InferOutput } from "valibot";
import { type erasureAnswer, leftInBackups, leftInDatabase } from "../../../../lib/base/api/erasure.ts";
import { onlyUser } from "../../../../lib/engines/service/user-search.ts";
import { listGrants } from "../grants/grants.ts";
import type { UserAdminServices } from "./admin-services.ts";

/** In one transaction (sql/postgres/peering/006-erasure.sql). Throws Problem 404. */
export async function eraseUser(
  { config, database, emails }: UserAdminServices,
  by: string,
  hash: string,
): Promise<InferOutput<typeof erasureAnswer>> {
  const { sql, timed } = database;
  const [row] = await timed(
    "user_erase",
    () => sql<{ counts: Readonly<Record<string, number>> | null }[]>`
      SELECT erase_user(${hash}, make_interval(mins => ${config.leases.coolDownMinutes}), ${by}) AS counts`,
  );
  const counts = onlyUser(row?.counts ? [row.counts] : []);
  emails.forget(hash);
  const erased = [
    { place: "database", what: "users, with subject, ASN, limits and grants", rows: counts.users ?? null },
    { place: "database", what: "leases, live and past", rows: counts.leases ?? null },
    { place: "database", what: "names in the audit", rows: counts.changes ?? null },
  ];
  return { user_hash: hash, erased, remains };
}

const remains = [
  leftInDatabase,
  {
    place: "exchange servers",
    what: "the user's block in their policy, for a minute at most",
    until: null,
  },
  {
    place: "exchange servers",
    what: "log lines that name the hash, of suspended or overdue sessions, as long as you keep logs there",
    until: null,
  },
  leftInBackups,
];

interface StoredUser {
  readonly subject_jwe: string;
}

/** With the subject, decrypted, and the e-mail address where it is in memory just now. Throws Problem 404. */
export async function exportUser(
  { database, cipher, emails }: UserAdminServices,
  hash: string,
): Promise<object> {
  const { sql } = database;
  const { subject_jwe, ...user } = onlyUser(
    await sql<StoredUser[]>`
      SELECT user_hash, user_number, subject_jwe, asn, leases_max, lease_hours_max, suspended_at, suspended_reason,
        created_at
      FROM users WHERE user_hash = ${hash}`,
  );
  const leases = await sql`
    SELECT lease_id, prefix, start_time, end_time, held_until, rpki_enabled, closed_at, closed_as
    FROM leases WHERE user_hash = ${hash} ORDER BY lease_id`;
  const changes = await sql`
    SELECT change_number AS number, at, actor, action, prefix, details FROM changes
    WHERE user_hash = ${hash} OR actor IN (${`user:${hash}`}, ${`operator:${hash}`}) ORDER BY change_number`;
  return {
    user: { ...user, subject: await cipher.open(subject_jwe), email_in_memory: emails.peek(hash) },
    leases,
    grants: await listGrants(database, hash),
    changes,
  };
}
