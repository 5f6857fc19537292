/** Grants of users: made, listed, revoked; and what their holders do with them, checked where it is stored. */
import type { Sql, TransactionSql } from "postgres";
import type * as v from "valibot";
import type { grantAnswer, grantBody, heldGrantAnswer } from "../../../../lib/base/api/grants.ts";
import type { StoredAnswer } from "../../../../lib/base/api/stored-answer.ts";
import { hashKey, makeKey } from "../../../../lib/engines/auth/secret-key.ts";
import { type Problem, problem } from "../../../../lib/engines/http/problem.ts";
import { keyProblem } from "../../../../lib/engines/http/require-key.ts";
import type { Database } from "../../../../lib/engines/store/postgres/open.ts";
import { rowOf } from "../../../../lib/engines/store/postgres/row-of.ts";
import { type AnnouncementReadServices, readAnnouncements } from "../announcements/read-announcements.ts";
import {
  type AnnouncementRequest,
  changedBy,
  type RequestRow,
  type RequestServices,
  storedRequests,
} from "../announcements/requests.ts";
import { endedGrantDaysKept, grantsOfUserMax, requestServersOfPrefixMax } from "../limits.ts";
import { noLease } from "../no-lease.ts";
import { suspended } from "../users/accounts.ts";
import type { InfoReader } from "../users/info.ts";

type GrantRow = StoredAnswer<typeof grantAnswer>;
type Order = v.InferOutput<typeof grantBody>;

/** The secret is never shown again. Throws Problem: 404 for a prefix that is not a live lease, 429 beyond the limit. */
export async function makeGrant(
  { sql, timed }: Database,
  userHash: string,
  { name, prefixes, kinds, changes_max, expires_at }: Order,
): Promise<GrantRow & { readonly secret: string }> {
  const secret = makeKey();
  const row = await timed("grant_make", () =>
    sql.begin(async (tx) => {
      await tx`SELECT FROM users WHERE user_hash = ${userHash} FOR UPDATE`;
      await tx`
        DELETE FROM grants WHERE user_hash = ${userHash}
          AND least(revoked_at, expires_at) < vantage_now() - ${endedGrantDaysKept} * interval '1 day'`;
      const [{ grants, missing } = { grants: 0, missing: null }] = await tx<
        { grants: number; missing: string | null }[]
      >`
        SELECT (SELECT count(*)::integer FROM grants WHERE user_hash = ${userHash}) AS grants, (
          SELECT prefix FROM unnest(${prefixes}::text[]) AS named (prefix) WHERE NOT EXISTS (
            SELECT FROM leases WHERE user_hash = ${userHash} AND leases.prefix = named.prefix::cidr
              AND closed_at IS NULL AND end_time > vantage_now()) LIMIT 1) AS missing`;
      if (missing !== null) {
        throw noLease(`You have no live lease of ${missing}: name prefixes that you have leased`);
      }
      if (grants >= grantsOfUserMax) {
        throw tooMany();
      }
      const made = await tx<{ id: string }[]>`
        INSERT INTO grants (grant_hash, user_hash, name, prefixes, kinds, changes_max, expires_at)
        VALUES (${hashKey(secret)}, ${userHash}, ${name}, ${prefixes}::text[]::cidr[], ${kinds}, ${changes_max},
          ${expires_at}) RETURNING grant_id AS id`;
      const { id } = rowOf(made);
      await tx`
        SELECT record_change(${`user:${userHash}`}, 'grant.make', ${userHash}, NULL, ${tx.json({
          ...{ grant: id, name, prefixes, kinds, changes_max, expires_at },
        })})`;
      return rowOf(await tx<GrantRow[]>`SELECT ${columns(tx)} FROM grants WHERE grant_id = ${id}`);
    }),
  );
  return { ...row, secret };
}

function tooMany(): Problem {
  const message =
    `You have ${grantsOfUserMax} grants, those that ended in the last ${endedGrantDaysKept} days among them: ` +
    "name several prefixes in one, or wait";
  return problem(429, "too_many_grants", message);
}

/** The newest first. */
export function listGrants({ sql, timed }: Database, userHash: string): Promise<GrantRow[]> {
  return timed(
    "grant_list",
    () => sql<GrantRow[]>`
      SELECT ${columns(sql)} FROM grants WHERE user_hash = ${userHash} ORDER BY created_at DESC, grant_id DESC`,
  );
}

/** In effect at once: a request in progress waits for the lock, or has been carried out. Throws Problem 404. */
export async function revokeGrant({ sql, timed }: Database, userHash: string, id: string): Promise<GrantRow> {
  return await timed("grant_revoke", () =>
    sql.begin(async (tx) => {
      await tx`SELECT FROM users WHERE user_hash = ${userHash} FOR UPDATE`;
      const revoked = await tx`
        UPDATE grants SET revoked_at = vantage_now()
        WHERE grant_id = ${id} AND user_hash = ${userHash} AND revoked_at IS NULL RETURNING grant_id`;
      const [row] = await tx<GrantRow[]>`
        SELECT ${columns(tx)} FROM grants WHERE grant_id = ${id} AND user_hash = ${userHash}`;
      if (row === undefined) {
        throw problem(404, "unknown_grant", "You have no grant with this id");
      }
      if (revoked.length > 0) {
        const details = tx.json({ grant: id });
        await tx`SELECT record_change(${`user:${userHash}`}, 'grant.revoke', ${userHash}, NULL, ${details})`;
      }
      return row;
    }),
  );
}

function columns(sql: Sql | TransactionSql) {
  return sql`grant_id AS id, name, prefixes::text[] AS prefixes, kinds, changes_max, changes, created_at, expires_at,
    revoked_at, last_used_at, CASE WHEN revoked_at IS NOT NULL THEN 'revoked'
      WHEN expires_at <= vantage_now() THEN 'expired' ELSE 'live' END AS state`;
}

export interface HeldGrant extends GrantRow {
  readonly user_hash: string;
}

/** The grant of a secret with this SHA-256. Throws Problem 401. */
export async function grantOf({ sql, timed }: Database, hash: Uint8Array): Promise<HeldGrant> {
  const [grant] = await timed(
    "grant_find",
    () => sql<HeldGrant[]>`SELECT ${columns(sql)}, user_hash FROM grants WHERE grant_hash = ${hash}`,
  );
  if (grant === undefined) {
    throw keyProblem("unknown_key", "The secret is not one of a grant");
  }
  const fault = faultOf(grant);
  if (fault !== null) {
    throw keyProblem(`grant_${grant.state}`, fault);
  }
  return grant;
}

function faultOf({ state, name, expires_at: endedAt }: GrantRow): string | null {
  switch (state) {
    case "live":
      return null;
    case "revoked":
      return `The grant "${name}" was revoked: its user must give another one`;
    case "expired":
      return `The grant "${name}" expired at ${endedAt.toISOString()}: its user must give another one`;
  }
}

/** The grant with what concerns its prefixes. */
export async function heldGrant(
  services: AnnouncementReadServices & { readonly infos: InfoReader },
  grant: HeldGrant,
): Promise<StoredAnswer<typeof heldGrantAnswer>> {
  const named = ({ prefix }: { readonly prefix: string }) => grant.prefixes.includes(prefix);
  const [info, { report, ...announced }] = await Promise.all([
    services.infos.read(grant.user_hash),
    readAnnouncements(services, grant.user_hash),
  ]);
  return {
    ...grant,
    leases: info.active_leases.filter(named).map(({ prefix, end_time }) => ({ prefix, end_time })),
    max_duration_hours: info.max_duration_hours,
    announced: {
      ...announced,
      time_ms: Date.now(),
      announcements: announced.announcements.filter(named),
      report: report === null ? null : { ...report, states: report.states.filter(named) },
      budget: { ...announced.budget, prefixes: announced.budget.prefixes.filter(named) },
    },
  };
}

interface GrantedChange {
  readonly grant: HeldGrant;
  readonly number: number;
  readonly requests: readonly AnnouncementRequest[];
}

type GrantOutcome = "grant_revoked" | "grant_expired" | "grant_prefix" | "grant_kind" | "grant_lease";

interface GrantedRow extends Omit<RequestRow, "outcome"> {
  readonly outcome: RequestRow["outcome"] | GrantOutcome | "grant_replay" | "grant_used_up";
}

/** All or none, as `setAnnouncements`, within the grant. Throws Problem. */
export async function setGrantedAnnouncements(
  services: RequestServices,
  { grant, number, requests }: GrantedChange,
): Promise<ReturnType<typeof changedBy>> {
  const { database, config } = services;
  const { sql, timed } = database;
  const { prefixMinutes, perHourMax } = config.announcements;
  const rows = await timed(
    "grant_announcement_set",
    () => sql<GrantedRow[]>`
      SELECT outcome, refused, retry_at, version, why FROM set_announcements_by(${grant.id}, ${number},
        ${sql.json(storedRequests(requests))}, make_interval(mins => ${prefixMinutes}), ${perHourMax},
        ${requestServersOfPrefixMax})`,
  );
  const row = rowOf(rows);
  const { outcome, refused, why, version } = row;
  if (outcome === "grant_replay") {
    const last = `change ${version} of ${refused} has been made since`;
    throw problem(409, outcome, `Change ${number} is out of date: ${last}; nothing was changed`);
  }
  if (outcome === "grant_used_up") {
    const most = `its ${grant.changes_max} changes are used up`;
    throw problem(403, outcome, `The grant "${grant.name}" allows no more announcements: ${most}`);
  }
  return isOfGrant(outcome)
    ? refuse(grant, outcome, refused ?? "", why ?? "")
    : changedBy(services, { ...row, outcome });
}

function isOfGrant(outcome: string): outcome is GrantOutcome {
  return outcome.startsWith("grant_");
}

/** Throws Problem 401 or 403. */
function refuse(grant: HeldGrant, outcome: GrantOutcome, prefix: string, kind: string): never {
  const { name } = grant;
  switch (outcome) {
    case "grant_revoked":
    case "grant_expired":
      throw keyProblem(
        outcome,
        faultOf({ ...grant, state: outcome === "grant_revoked" ? "revoked" : "expired" }) ?? "",
      );
    case "grant_prefix":
      throw problem(
        403,
        outcome,
        `The grant "${name}" is not for ${prefix}: it names ${grant.prefixes.join(", ")}`,
      );
    case "grant_kind":
      throw problem(
        403,
        outcome,
        `The grant "${name}" does not include ${kind}: its user must give one that does`,
      );
    case "grant_lease":
      throw problem(403, outcome, `The grant "${name}" ends before that: renew the lease for fewer hours`);
  }
}

interface RenewedRow {
  readonly outcome: GrantOutcome | "renewed" | "bad_duration" | "no_lease" | "suspended";
  readonly hours_max: number | null;
  readonly prefix: string;
  readonly end_time: Date;
}

/** Hours from now; a lease that lasts longer stays as it is. Throws Problem. */
export async function renewGrantedLease(
  { database, config }: Pick<RequestServices, "database" | "config">,
  grant: HeldGrant,
  { prefix, hours }: { readonly prefix: string; readonly hours: number },
) {
  const { hoursMax, coolDownMinutes } = config.leases;
  const rows = await database.timed(
    "grant_lease_renew",
    () => database.sql<RenewedRow[]>`
      SELECT outcome, hours_max, (given).prefix, (given).end_time FROM renew_lease_by(${grant.id}, ${prefix},
        ${hours}, ${hoursMax}, make_interval(mins => ${coolDownMinutes}))`,
  );
  const { outcome, hours_max, ...lease } = rowOf(rows);
  switch (outcome) {
    case "renewed":
      return lease;
    case "no_lease":
      throw noLease();
    case "suspended":
      throw suspended();
    case "bad_duration":
      throw problem(400, "invalid_duration", `Duration must be between 1 and ${hours_max} hours`);
    default:
      return refuse(grant, outcome, prefix, "lease");
  }
}
