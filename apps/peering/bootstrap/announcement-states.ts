/** What came of each prefix at each exchange server: at the own daemon, and there. For the gateway. Pure. */
import { isSameWay, plainAttributes } from "../../../lib/base/api/announcements.ts";
import { nanosOf } from "../../../lib/measuring/probing/nanos-of.ts";
import { takenActions } from "../../../lib/peering/policy/route-actions.ts";
import {
  type Announcement,
  addedHops,
  blackholesOf,
  type SessionPlan,
  sessionName,
} from "./daemon/session-plan.ts";
import { orderFor } from "./orders.ts";
import type { AnnouncementState } from "./requests.ts";
import type { Snapshot } from "./snapshot.ts";
import type { ExchangeServer } from "./vpn/discover.ts";

const reasonCharsMax = 500;

/** `before` = those of the last round: what has not changed keeps its times. */
export function announcementStates(
  snapshot: Snapshot,
  prefixes: readonly string[],
  before: readonly AnnouncementState[],
): AnnouncementState[] {
  const known = new Map(before.map((state) => [keyOf(state), state]));
  const names = snapshot.exchanges.map(({ name }) => name);
  const strange = snapshot.requests.requests.filter(
    ({ server }) => server !== "*" && !names.includes(server),
  );
  return [
    ...prefixes.flatMap((prefix) =>
      snapshot.exchanges.map((exchange) => {
        const state = stateAt(snapshot, prefix, exchange);
        return withTimes(state, known.get(keyOf(state)), snapshot);
      }),
    ),
    ...strange.map(({ prefix, server, prepend }) => ({
      ...plainAttributes,
      ...{ prefix, server, prepend, announce: false, daemon_ns: null, ...nothingReceived, heard_by: [] },
      ...{ changes: null, clock: null },
      daemon_reason: `the VPN lists no exchange server ${server}`,
    })),
  ];
}

const nothingReceived = {
  exchange: "unknown",
  exchange_ns: null,
  exchange_reason: null,
  heard_by: [],
} as const;

function keyOf({ prefix, server }: AnnouncementState): string {
  return `${prefix} ${server}`;
}

/** Without times. */
function stateAt(snapshot: Snapshot, prefix: string, { name, address }: ExchangeServer): AnnouncementState {
  const { plan, orders, failures, received } = snapshot;
  const session = plan?.sessions.find((one) => one.session === sessionName(address));
  const planned = session?.announced.find((one) => one.prefix === prefix);
  const wanted = orderFor(orders, prefix, name);
  const isWithheld = session !== undefined && planned === undefined && wanted.announce;
  const own = received.get(address) ?? { session: null, failure: null };
  const withheld = isWithheld ? "the gateway has no lease of it now" : null;
  const reason = failures.daemon?.slice(0, reasonCharsMax) ?? withheld;
  const announce = planned !== undefined;
  return {
    ...{
      prefix,
      server: name,
      announce,
      prepend: planned?.prepend ?? 0,
      ...(planned?.attributes ?? plainAttributes),
      daemon_ns: null,
      daemon_reason: reason,
    },
    clock: null,
    changes: own.session?.leases.find((lease) => lease.prefix === prefix)?.changes ?? null,
    ...saidBy(own, prefix, planned === undefined || plan === null ? null : expected(plan, planned)),
  };
}

type Received = Snapshot["received"] extends ReadonlyMap<string, infer One> ? One : never;

interface Expected {
  /** Prefixes of single addresses. */
  readonly blackholes: readonly string[];
  readonly pathLength: number;
  readonly actions: readonly string[];
}

/** What the exchange says when it has this announcement, and not the one before. */
function expected({ asn, platformAsn }: SessionPlan, planned: Announcement): Expected {
  return {
    blackholes: blackholesOf(planned),
    pathLength: addedHops(asn, planned).length + 1,
    actions: takenActions(platformAsn, planned.attributes),
  };
}

/** `wanted` = null where nothing is announced. An answer from before a change is not one to it. */
function saidBy({ session, failure }: Received, prefix: string, wanted: Expected | null) {
  const accepted = session?.accepted.find((route) => route.prefix === prefix);
  const others = wanted?.blackholes ?? [];
  const refused = session?.refused.find((route) => [prefix, ...others].includes(route.prefix));
  if (session === null) {
    return { ...nothingReceived, heard_by: [], exchange_reason: failure?.slice(0, reasonCharsMax) ?? null };
  }
  if (wanted === null) {
    const isGone = accepted === undefined;
    return {
      ...nothingReceived,
      heard_by: [],
      exchange: isGone ? ("withdrawn" as const) : ("unknown" as const),
    };
  }
  if (
    accepted?.as_path.split(" ").length === wanted.pathLength &&
    accepted.actions.join(" ") === wanted.actions.join(" ") &&
    others.every((other) => session.accepted.some((route) => route.prefix === other))
  ) {
    return { ...nothingReceived, exchange: "accepted" as const, heard_by: accepted.heard_by };
  }
  if (refused !== undefined) {
    return {
      ...nothingReceived,
      heard_by: [],
      exchange: "refused" as const,
      exchange_reason: refused.explanation,
    };
  }
  return { ...nothingReceived, heard_by: [], exchange_reason: session.remark };
}

function withTimes(
  state: AnnouncementState,
  before: AnnouncementState | undefined,
  { atMs, isInForce, failures }: Snapshot,
): AnnouncementState {
  const isSame = before?.announce === state.announce && isSameWay(before, state);
  const nowNs = String(nanosOf(atMs));
  const isConfirmed = isInForce && failures.daemon === undefined;
  const daemonNs = (isSame ? before.daemon_ns : null) ?? nowNs;
  const receivedNs = (isSame && before.exchange === state.exchange ? before.exchange_ns : null) ?? nowNs;
  return {
    ...state,
    daemon_ns: isConfirmed ? daemonNs : null,
    exchange_ns: state.exchange === "unknown" ? null : receivedNs,
  };
}
