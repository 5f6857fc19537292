/** The plan for the routing daemon, independent of its language: sessions and their announcements. Pure. */
import { createHash } from "node:crypto";
import type { RouteAttributes } from "../../../../lib/base/api/announcements.ts";
import { type Orders, orderFor } from "../orders.ts";
import type { ExchangeServer } from "../vpn/discover.ts";

export interface Announcement {
  readonly prefix: string;
  readonly prepend: number;
  readonly attributes: RouteAttributes;
}

interface PlannedSession {
  /** `ixp_100_64_0_1`: made from the address, as names of devices are foreign text. */
  readonly session: string;
  readonly exchange: string;
  readonly address: string;
  readonly announced: readonly Announcement[];
}

export interface SessionPlan {
  readonly asn: number;
  readonly platformAsn: number;
  /** Address of this device in the tunnel. */
  readonly ownAddress: string;
  readonly device: string;
  /** TCP port of exchange servers, which decides the routes that they send: lib/peering/policy/feed-ports.ts. */
  readonly port: number;
  /** Every prefix of the user, announced or not. */
  readonly prefixes: readonly string[];
  readonly sessions: readonly PlannedSession[];
}

export interface PlanInput extends Omit<SessionPlan, "sessions"> {
  readonly exchanges: readonly ExchangeServer[];
  readonly orders: Orders;
  /** Prefixes without a lease, or with an ended one: announcing them would only be refused. */
  readonly withheld: ReadonlySet<string>;
}

export function sessionPlan({ exchanges, orders, withheld, ...common }: PlanInput): SessionPlan {
  const sessions = exchanges.map(({ name, address }) => ({
    session: sessionName(address),
    exchange: name,
    address,
    announced: common.prefixes.flatMap((prefix) => {
      const { announce, ...how } = orderFor(orders, prefix, name);
      return announce && !withheld.has(prefix) ? [{ prefix, ...how }] : [];
    }),
  }));
  return { ...common, sessions };
}

/** Prefixes of single addresses that an exchange is to discard. */
export function blackholesOf({ attributes }: Announcement): string[] {
  return attributes.blackhole.map((address) => `${address}/128`);
}

/** All that any exchange gets: the user's prefixes, then the addresses to be discarded; sorted. */
export function routesOf({ prefixes, sessions }: SessionPlan): string[] {
  const blackholes = sessions.flatMap(({ announced }) => announced.flatMap(blackholesOf));
  return [...prefixes, ...[...new Set(blackholes)].sort()];
}

export function sessionName(address: string): string {
  return `ixp_${address.replaceAll(".", "_")}`;
}

/** Digest of a plan: 16 hex digits. */
export function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

/** What stands behind the own AS in the path, as the daemon sends it: from its first hop to the origin. */
export function addedHops(asn: number, { prepend, attributes: { poison } }: Announcement): number[] {
  const prepends = Array.from({ length: prepend }, () => asn);
  return poison.length === 0 ? prepends : [...prepends, ...poison, asn];
}
