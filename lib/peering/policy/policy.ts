/**
 * The policy at one instant: which user may announce what, and from where. Leases end here, by the given clock.
 */
import { addressWithin } from "../../net/ip/address-within.ts";
import type { Member, Membership } from "./join.ts";
import type { OperatorStop } from "./mapping.ts";
import type { TunnelAddress } from "./vpn-node.ts";

export interface PolicyUser {
  readonly userHash: string;
  readonly asn: number;
  /** Null until one is known. */
  readonly email: string | null;
  readonly addresses: readonly TunnelAddress[];
  readonly mayPoison: boolean;
  readonly mayBlackhole: boolean;
  /** The exact prefixes that the user may announce now; empty = nothing. */
  readonly prefixes: readonly string[];
  /** Leased, but by the user's own announcement request not announced at this exchange server, now or any more. */
  readonly notRequested: readonly string[];
  /** Leased, but refused for a while, because it has changed too often. */
  readonly held: readonly string[];
  /** Why the user may announce nothing for a while, despite any leases; null = not suspended. */
  readonly suspendedFor: Suspension | OperatorStop | null;
}

/** Why an exchange server suspends a user. */
export type Suspension = "suspended" | "foreignAttribute";

export interface Policy {
  /** Sorted by hash. */
  readonly users: readonly PolicyUser[];
}

/** The policy without users: every route of every user is refused. */
export const rejectAll: Policy = { users: [] };

export interface PolicyConditions {
  readonly nowMs: number;
  /** By hash, users who may announce nothing for a while, despite any leases, and why. */
  readonly suspended: ReadonlyMap<string, Suspension>;
  /** By user's hash, the prefixes that are refused for a while; only the keys are used here. */
  readonly held: ReadonlyMap<string, ReadonlyMap<string, unknown>>;
  /** Each user's last known e-mail address, used when the gateway provides none. */
  readonly emails: ReadonlyMap<string, string>;
}

export function policyAt({ members }: Pick<Membership, "members">, moment: PolicyConditions): Policy {
  return { users: members.map((member) => userAt(member, moment)) };
}

function userAt(member: Member, { nowMs, suspended, held, emails }: PolicyConditions): PolicyUser {
  const { userHash, asn, addresses, mayPoison, mayBlackhole } = member;
  const suspendedFor = member.stoppedFor ?? suspended.get(userHash) ?? null;
  const leased = member.leases.filter(({ endsAtMs }) => isAhead(endsAtMs, nowMs));
  const live = leased.filter(({ endsHereAtMs }) => isAhead(endsHereAtMs, nowMs));
  const isHeld = ({ prefix }: { readonly prefix: string }) => held.get(userHash)?.has(prefix) ?? false;
  return {
    userHash,
    asn,
    addresses,
    mayPoison,
    mayBlackhole,
    suspendedFor,
    email: member.email ?? emails.get(userHash) ?? null,
    prefixes: suspendedFor !== null ? [] : live.filter((lease) => !isHeld(lease)).map(({ prefix }) => prefix),
    notRequested: leased.filter((lease) => !live.includes(lease)).map(({ prefix }) => prefix),
    held: live.filter(isHeld).map(({ prefix }) => prefix),
  };
}

/** Whether the user may announce a route to it: a lease, or an address of one, which is discarded (RFC 7999). */
export function mayAnnounce({ prefixes, mayBlackhole }: PolicyUser, prefix: string): boolean {
  const [address = "", length] = prefix.split("/");
  return (
    prefixes.includes(prefix) ||
    (mayBlackhole && length === "128" && prefixes.some((lease) => addressWithin(address, lease) !== null))
  );
}

function isAhead(endsAtMs: number | null, nowMs: number): boolean {
  return endsAtMs === null || endsAtMs > nowMs;
}

/** The leases without announcement requests for single exchange servers. */
export function anywhere(members: Membership["members"]): Membership["members"] {
  return members.map((member) => ({
    ...member,
    leases: member.leases.map((lease) => ({ ...lease, endsHereAtMs: null })),
  }));
}

/**
 * When the next lease ends, here or everywhere, so that the policy must be recomputed; null when none ends.
 */
export function nextEndMs({ members }: Pick<Membership, "members">, nowMs: number): number | null {
  const ends = members.flatMap(({ leases }) =>
    leases.flatMap(({ endsAtMs, endsHereAtMs }) => [endsAtMs ?? 0, endsHereAtMs ?? 0]),
  );
  const coming = ends.filter((endMs) => endMs > nowMs);
  return coming.length === 0 ? null : coming.reduce((first, endMs) => Math.min(first, endMs));
}
