/**
 * Why a route of a user is refused: a closed list.
 *
 * The exchange's import filter marks a route with the large community (platform AS, 1, code) before it refuses it.
 * What `enforce_user_policy` refuses carries no mark: its reasons follow from the policy itself.
 */
import { parsePrefix, prefixContains } from "../../net/ip/prefix.ts";
import { outsideRefusals, outsideRefusalWords } from "./outside-refusal.ts";
import type { Policy } from "./policy.ts";
import { type Marked, markFields, markOf, namesOf } from "./refusal-mark.ts";

/** Code of the mark; never reuse one. */
export const filterRefusals = {
  pathLength: 1,
  foreignAs: 2,
  nextHop: 3,
  rpkiInvalid: 4,
  unknownAttribute: 5,
  tooManyActions: 6,
  poison: 7,
  blackhole: 8,
} as const;

export const refusalWords = {
  pathLength: "the AS path is empty or longer than 11",
  foreignAs: "the AS path names another AS than the peer's",
  nextHop: "the next hop is not the peer's own address",
  rpkiInvalid: "the platform's AS is not authorised to originate it (RPKI)",
  unknownAttribute: "the route carries an attribute unknown to the exchange",
  tooManyActions: "the route carries more communities than the exchange accepts",
  poison: "the path contains too many ASNs of others, or a forbidden one",
  blackhole: "discarding a single address requires an operator's permission",
  unknownAddress: "the exchange has not seen the device with this address yet, or it belongs to no user",
  suspended: "the user has announced too often and is suspended for a while",
  foreignAttribute:
    "a route of the user carried attributes that mean nothing here; all are refused for a while",
  userSuspended: "an operator has suspended the user",
  announcementsStopped: "an operator has stopped all users' announcements; leases and requests remain",
  wrongAsn: "the AS path does not end in the user's ASN",
  moreSpecific: "the prefix is longer than the /48 that the user has leased: only the whole /48 is accepted",
  notLeased: "the prefix is not exactly one that the user has leased",
  held: "the prefix has changed too often, and is refused for a while, so that routers elsewhere do not damp it",
  notRequested:
    "the user's announcement request for this exchange server has ended, or withdraws the prefix here",
  pending: "the policy allows it; the daemon has not evaluated it again yet",
} as const;

export type Refusal = keyof typeof refusalWords;

interface RefusedRoute extends Marked {
  readonly prefix: string;
  /** Address of the session's peer. */
  readonly from: string;
  /** As the daemon prints it: `65000 65000`, `65000 {65001}`. */
  readonly path: string;
}

/** The exchange filters' marks, as `asn:1:code`, and their meanings. */
export function refusalMarks(platformAsn: number): (readonly [mark: string, words: string])[] {
  const codes = { ...filterRefusals, ...outsideRefusals };
  const words = { ...refusalWords, ...outsideRefusalWords };
  return namesOf(codes).map((name) => [`${platformAsn}:${markFields.refusal}:${codes[name]}`, words[name]]);
}

export function refusalOf(route: RefusedRoute, policy: Policy, platformAsn: number): Refusal {
  const refusal = markOf(filterRefusals, route, platformAsn);
  if (refusal === null) {
    return byPolicy(route, policy);
  }
  // The filter checks RPKI first, which also rejects any prefix longer than a /48: report what the user can fix.
  const ownFault = refusal === "rpkiInvalid" ? byPolicy(route, policy) : "pending";
  return ownFault === "pending" ? refusal : ownFault;
}

function byPolicy({ prefix, from, path }: RefusedRoute, { users }: Policy): Refusal {
  const user = users.find(({ addresses }) => addresses.some(({ v4 }) => v4 === from));
  if (user === undefined) {
    return "unknownAddress";
  }
  if (user.suspendedFor !== null) {
    return user.suspendedFor;
  }
  if (path.split(" ").at(-1) !== String(user.asn)) {
    return "wrongAsn";
  }
  if (user.prefixes.includes(prefix)) {
    return "pending";
  }
  if (user.held.includes(prefix)) {
    return "held";
  }
  if (user.notRequested.includes(prefix)) {
    return "notRequested";
  }
  return user.prefixes.some((leased) => isInside(prefix, leased)) ? "moreSpecific" : "notLeased";
}

function isInside(text: string, outerText: string): boolean {
  const [inner, outer] = [parsePrefix(text), parsePrefix(outerText)];
  return inner !== null && outer !== null && inner.length > outer.length && prefixContains(outer, inner.base);
}
