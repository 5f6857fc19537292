/** Each session, with a user or outside: its state, and its routes, accepted and refused with the reason. */
import type * as v from "valibot";
import { type ChangeBudget, changesLeft } from "../../../../lib/base/api/change-budget.ts";
import type { exchangeStatusAnswer } from "../../../../lib/base/api/exchange-status.ts";
import type { RpkiCache } from "../../../../lib/peering/bird/caches.ts";
import { elapsedSec } from "../../../../lib/peering/bird/elapsed.ts";
import type { Route } from "../../../../lib/peering/bird/routes.ts";
import type { BirdSession } from "../../../../lib/peering/bird/sessions.ts";
import type { Member } from "../../../../lib/peering/policy/join.ts";
import {
  countRefusals,
  outsideRefusalOf,
  outsideRefusalWords,
} from "../../../../lib/peering/policy/outside-refusal.ts";
import { type Policy, rejectAll } from "../../../../lib/peering/policy/policy.ts";
import { type Refusal, refusalOf, refusalWords } from "../../../../lib/peering/policy/refusal.ts";
import { actionTexts } from "../../../../lib/peering/policy/route-actions.ts";
import { type Peers, type PeersSeen, type ReceivedOutside, routeKey } from "../daemon/peers.ts";
import type { Generator } from "../generator.ts";
import { outsidesShownMax, routesShownMax } from "../limits.ts";
import type { HeldPrefixes } from "../prefix-budget.ts";
import { timeOf } from "./policy-view.ts";

export type StatusBody = v.InferOutput<typeof exchangeStatusAnswer>;
type SessionBody = StatusBody["sessions"][number];

interface Scene {
  readonly policy: Policy;
  readonly members: ReadonlyMap<string, Member>;
  readonly suspended: ReadonlyMap<string, number>;
  readonly held: HeldPrefixes;
  readonly nowMs: number;
  /** How often a prefix of a user may change; null = no limit. */
  readonly changes: (userHash: string, prefix: string) => ChangeBudget | null;
  readonly seen: PeersSeen;
  readonly receivedOutside: ReceivedOutside;
  readonly platformAsn: number;
}

/** `addresses`: only their sessions; null = all. Throws Failure `daemon`. */
export async function statusView(
  generator: Generator,
  peers: Peers,
  { platformAsn, addresses }: { platformAsn: number; addresses: readonly string[] | null },
): Promise<StatusBody> {
  const { knowledge, watch, prefixes, nowMs } = generator.parts;
  const now = nowMs();
  const members = knowledge.membership()?.members ?? [];
  const scene: Scene = {
    policy: generator.applied?.policy ?? rejectAll,
    members: new Map(members.flatMap((member) => member.addresses.map(({ v4 }) => [v4, member] as const))),
    suspended: watch.suspended(now),
    held: prefixes.held(now),
    nowMs: now,
    changes: (userHash, prefix) => prefixes.changes(userHash, prefix, now),
    seen: await peers.seen(),
    receivedOutside: await peers.receivedOutside(),
    platformAsn,
  };
  const shown = scene.seen.sessions.filter(
    ({ neighborAddress }) => addresses?.includes(neighborAddress) ?? true,
  );
  const sessions = shown.map((session) => sessionView(session, scene));
  const at = new Date(nowMs()).toISOString();
  if (addresses !== null) {
    return { at, sessions, outside: [], caches: [] };
  }
  const { outside, caches } = scene.seen;
  const refused = await peers.refusedOutside(outside);
  return {
    ...{ at, sessions },
    outside: outside.map((session) => outsideView(session, refused, scene)),
    caches: caches.map(cacheView),
  };
}

function outsideView(
  session: BirdSession,
  refused: ReadonlyMap<string, readonly Route[]> | null,
  { seen, platformAsn }: Scene,
): StatusBody["outside"][number] {
  const routes = refused?.get(session.name) ?? [];
  return {
    ...sessionFields(session, seen.clock),
    refused_by: refused === null ? null : countRefusals(routes, platformAsn),
    refused: routes.slice(0, routesShownMax).map((route) => {
      const reason = outsideRefusalOf({ marks: route.largeCommunities }, platformAsn);
      return { prefix: route.prefix, as_path: route.path, reason, explanation: outsideRefusalWords[reason] };
    }),
  };
}

/** `clock`: BIRD's own, in its format. */
function sessionFields(session: BirdSession, clock: string) {
  return {
    name: session.name,
    address: session.neighborAddress,
    peer_asn: session.neighborAsn,
    state: session.state,
    is_up: session.isUp,
    for_seconds: elapsedSec(session.since, clock),
    last_error: session.lastError,
    accepted_routes: session.importedRoutes,
    refused_routes: session.filteredRoutes,
  };
}

function cacheView({ name, server, isUp, status, ageSec, roas }: RpkiCache): StatusBody["caches"][number] {
  return { name, server, is_up: isUp, state: status, age_seconds: ageSec, roas };
}

function sessionView(session: BirdSession, scene: Scene): SessionBody {
  const accepted = scene.seen.accepted.get(session.name) ?? [];
  const refused = scene.seen.refused.get(session.name) ?? [];
  const member = scene.members.get(session.neighborAddress);
  return {
    ...sessionFields(session, scene.seen.clock),
    user_hash: member?.userHash ?? null,
    asn: member?.asn ?? null,
    remark: remarkOn(session, member),
    leases: member === undefined ? [] : leasesView(member, scene),
    suspended_until: timeOf(scene.suspended.get(member?.userHash ?? "")),
    exported_routes: session.exportedRoutes,
    accepted: accepted.slice(0, routesShownMax).map((route) => acceptedView(route, scene)),
    refused: refused
      .slice(0, routesShownMax)
      .map((route) => refusedView(route, session, { scene, userHash: member?.userHash ?? "" })),
  };
}

function leasesView({ userHash, leases }: Member, { changes, nowMs }: Scene): SessionBody["leases"] {
  return leases.map(({ prefix, endsAtMs }) => {
    const budget = changes(userHash, prefix);
    const left = budget === null ? null : changesLeft(budget, nowMs).left;
    return { prefix, end_time: timeOf(endsAtMs), changes_left: left, changes: budget };
  });
}

function acceptedView(
  route: Route,
  { receivedOutside, platformAsn }: Scene,
): SessionBody["accepted"][number] {
  const receivedBy = receivedOutside.get(routeKey(route)) ?? [];
  return {
    prefix: route.prefix,
    as_path: route.path,
    actions: actionTexts(platformAsn, route.largeCommunities),
    heard_by: receivedBy.slice(0, outsidesShownMax),
  };
}

/** Who is suspended, or whose prefix is held back, reads until when. */
function refusedView(
  route: Route,
  session: BirdSession,
  { scene, userHash }: { readonly scene: Scene; readonly userHash: string },
): SessionBody["refused"][number] {
  const { prefix, path, nextHop, largeCommunities: marks } = route;
  const refused = { prefix, path, marks, from: session.neighborAddress };
  const reason = refusalOf(refused, scene.policy, scene.platformAsn);
  const end = timeOf(endOf(reason, prefix, { scene, userHash }));
  const explanation = `${refusalWords[reason]}${end === null ? "" : `, until ${end}`}`;
  return { prefix, as_path: path, next_hop: nextHop, reason, explanation };
}

function endOf(
  reason: Refusal,
  prefix: string,
  { scene: { suspended, held }, userHash }: { readonly scene: Scene; readonly userHash: string },
): number | undefined {
  if (reason === "held") {
    return held.get(userHash)?.get(prefix);
  }
  return reason === "suspended" || reason === "foreignAttribute" ? suspended.get(userHash) : undefined;
}

/** A remark about the session as a whole. */
function remarkOn(session: BirdSession, member: Member | undefined): string | null {
  if (member === undefined) {
    return "no user of the platform has this address: every route is refused";
  }
  const { neighborAsn, isUp } = session;
  if (neighborAsn !== member.asn && (isUp || neighborAsn !== 0)) {
    const short = neighborAsn === asTrans ? " (its daemon has to know AS numbers of 4 bytes, RFC 6793)" : "";
    return `the peer says it is AS${neighborAsn}${short}, the user has AS${member.asn}: every route is refused`;
  }
  return droppedRemark(session);
}

/** Messages that BIRD drops before any filter, so that no route can be shown: it only counts them. */
function droppedRemark({ bogusUpdates, idleWithdrawals, filteredRoutes }: BirdSession): string | null {
  const bogus =
    `${bogusUpdates} announcements were dropped: prefixes that cannot be routed ` +
    "(link-local, multicast, loopback)";
  const dropped =
    `${idleWithdrawals} messages withdrew what was not there. Was it an announcement? It is taken for that where the ` +
    "AS path is empty, does not begin with the peer's AS, or holds the platform's or an AS set, " +
    "where the next hop is link-local or zero, and where it carries OTC, as a route does that a provider or peer " +
    "has sent (RFC 9234)";
  return bogusUpdates > 0 ? bogus : idleWithdrawals > 0 && filteredRoutes === 0 ? dropped : null;
}

/** Stands in the OPEN of a peer whose AS number does not fit in 2 bytes (RFC 6793 s.9). */
const asTrans = 23_456;
