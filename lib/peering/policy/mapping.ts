/**
 * The peering gateway's list of users: `{mappings: [{user_hash, asn, prefixes, email, leases, suspended, …}]}`.
 *
 * Each entry is read on its own: one that cannot be read excludes only its own user. A value is kept in typed
 * form (a number, a parsed prefix), never as the received text.
 */
import * as v from "valibot";
import { formatPrefix, parsePrefix } from "../../net/ip/prefix.ts";
import type { Exclusion, Fault } from "./exclusion.ts";
import { leaseLengthBits, leasesPerUserMax } from "./limits.ts";
import { printable } from "./printable.ts";

interface Lease {
  /** `2001:db8:1::/48`, in the one spelling of RFC 5952. */
  readonly prefix: string;
  /** Null when the gateway reports none: the lease then lasts as long as the gateway lists it. */
  readonly endsAtMs: number | null;
  /** The end at this exchange server, if it differs; null = as everywhere. */
  readonly endsHereAtMs: number | null;
}

export interface Mapping {
  readonly userHash: string;
  readonly asn: number;
  readonly email: string | null;
  /** Whether paths may contain other networks' ASNs. */
  readonly mayPoison: boolean;
  /** Whether single addresses in leases may be announced as blackholes. */
  readonly mayBlackhole: boolean;
  /** The operator's stop at the gateway, during which nothing may be announced; null = none. */
  readonly stoppedFor: OperatorStop | null;
  /** Sorted by prefix. */
  readonly leases: readonly Lease[];
}

/** An operator has suspended the user, or stopped the announcements of all. */
export type OperatorStop = "userSuspended" | "announcementsStopped";

export interface AsnPool {
  readonly start: number;
  /** Inclusive. */
  readonly end: number;
}

export interface Mappings {
  readonly mappings: readonly Mapping[];
  readonly excluded: readonly Exclusion[];
}

const answer = v.object({ mappings: v.array(v.unknown()) });
const userHash = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/));
const named = v.object({ user_hash: userHash });
const entry = v.object({
  user_hash: userHash,
  asn: v.nullish(v.unknown()),
  email: v.nullish(v.unknown()),
  may_poison: v.optional(v.boolean(), false),
  may_blackhole: v.optional(v.boolean(), false),
  suspended: v.optional(v.boolean(), false),
  announcements_stopped: v.optional(v.boolean(), false),
  prefixes: v.optional(v.array(v.string()), []),
  leases: v.optional(
    v.array(
      v.object({
        prefix: v.string(),
        end_time: v.string(),
        servers: v.optional(v.record(v.string(), v.string()), {}),
      }),
    ),
  ),
});
type Entry = v.InferOutput<typeof entry>;

/**
 * Reads the gateway's response for the exchange server of that name; null when it has another form.
 */
export function readMappings(value: unknown, pool: AsnPool, server: string | null = null): Mappings | null {
  const whole = v.safeParse(answer, value);
  if (!whole.success) {
    return null;
  }
  const results = whole.output.mappings.map((one) => readEntry(one, { pool, server }));
  return {
    mappings: results.flatMap((result) => ("asn" in result ? [result] : [])),
    excluded: results.flatMap((result) => ("reason" in result ? [result] : [])),
  };
}

interface Reader {
  readonly pool: AsnPool;
  readonly server: string | null;
}

function readEntry(value: unknown, reader: Reader): Mapping | Exclusion {
  const read = v.safeParse(entry, value);
  if (!read.success) {
    const name = v.safeParse(named, value);
    const detail = v.getDotPath(read.issues[0]) ?? "entry";
    return { userHash: name.success ? name.output.user_hash : null, reason: "badMapping", detail };
  }
  return typed(read.output, reader);
}

function typed(one: Entry, { pool, server }: Reader): Mapping | Exclusion {
  const fail = (reason: Fault | "noAsn", detail: unknown): Exclusion => ({
    userHash: one.user_hash,
    reason,
    detail: printable(String(detail), 60),
  });
  const { asn } = one;
  if (asn === null || asn === undefined) {
    return fail("noAsn", "");
  }
  if (typeof asn !== "number" || !Number.isInteger(asn) || asn < pool.start || asn > pool.end) {
    return fail("badAsn", JSON.stringify(asn));
  }
  const leases = one.leases ?? one.prefixes.map((prefix) => ({ prefix, end_time: null, servers: {} }));
  if (leases.length > leasesPerUserMax) {
    return fail("tooManyLeases", leases.length);
  }
  const read = leases.map((lease) => readLease(lease, server));
  const bad = read.find((lease) => "reason" in lease);
  if (bad !== undefined) {
    return fail(bad.reason, bad.detail);
  }
  return {
    userHash: one.user_hash,
    asn,
    email: typeof one.email === "string" ? one.email : null,
    mayPoison: one.may_poison,
    mayBlackhole: one.may_blackhole,
    stoppedFor: one.suspended ? "userSuspended" : one.announcements_stopped ? "announcementsStopped" : null,
    leases: sorted(read.filter((lease) => "prefix" in lease)),
  };
}

interface BadLease {
  readonly reason: "badPrefix" | "badEndTime";
  readonly detail: string;
}

interface GivenLease {
  readonly prefix: string;
  readonly end_time: string | null;
  readonly servers: Readonly<Record<string, string>>;
}

function readLease(lease: GivenLease, server: string | null): Lease | BadLease {
  const prefix = parsePrefix(lease.prefix);
  if (prefix === null || prefix.family !== 6 || prefix.length !== leaseLengthBits) {
    return { reason: "badPrefix", detail: lease.prefix };
  }
  const here = new Map(Object.entries(lease.servers));
  const endHere = server === null ? undefined : (here.get(server) ?? here.get("*"));
  const endsAtMs = lease.end_time === null ? null : instant(lease.end_time);
  const endsHereAtMs = endHere === undefined ? null : instant(endHere);
  const bad = Number.isNaN(endsAtMs) ? lease.end_time : Number.isNaN(endsHereAtMs) ? endHere : undefined;
  return bad === undefined
    ? { prefix: formatPrefix(prefix), endsAtMs, endsHereAtMs }
    : { reason: "badEndTime", detail: String(bad) };
}

const rfc3339 = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)$/;

/** Milliseconds of an RFC 3339 time; NaN on anything else. */
function instant(text: string): number {
  return rfc3339.test(text) ? Date.parse(text) : Number.NaN;
}

/** One entry for each prefix; if the gateway reports two ends, the earlier one counts. */
function sorted(leases: readonly Lease[]): Lease[] {
  const byPrefix = new Map<string, Lease>();
  for (const lease of leases) {
    const other = byPrefix.get(lease.prefix);
    if (other === undefined || endOf(lease) < endOf(other)) {
      byPrefix.set(lease.prefix, lease);
    }
  }
  return [...byPrefix.values()].sort((a, b) => (a.prefix < b.prefix ? -1 : 1));
}

function endOf(lease: Lease): number {
  return lease.endsAtMs ?? Number.POSITIVE_INFINITY;
}
