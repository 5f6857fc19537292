/**
 * The exchange of the lab, as data: who is there, with which addresses, AS numbers and leases.
 *
 *     upstream --+                    +-- one    FRR, leases a platform prefix
 *     (20,000    +-- exchange -- vpn -+-- two    BIRD, two leases inside a platform aggregate
 *      routes)   |                    +-- three  BIRD, only listens
 *     server ----+                    +-- rogue  our own BGP speaker
 *
 * `vpn` stands for the VPN: a router that knows each member's addresses, and leased prefixes only where the
 * coordination server has approved them; it delivers by destination and never asks for a next hop.
 */
import { sampleUser } from "../../exchange/samples.ts";

export const platformAsn = 64_500;
export const upstreamAsn = 64_496;
export const serverAsn = 64_497;
/** Behind the route server. */
export const memberAsn = 64_498;
/** Origin of the upstream's routes. */
export const farAsn = 64_499;

export const infrastructurePrefix = "2001:db8:ffff::/48";
/** Heard outside as it is, from the user who has leased it. */
export const platformPrefix = "2001:db8:1000::/48";
/** Heard outside by the leased /48s inside it. */
export const platformAggregate = "2001:db8:2000::/40";
export const memberPrefix = "2001:db8:4000::/48";

/** What the member tells as a peer, with the AS in its OTC (RFC 9234): its own, another one, none. */
export const peerRoutes = {
  own: { prefix: "2001:db8:4001::/48", otc: memberAsn },
  leaked: { prefix: "2001:db8:4002::/48", otc: farAsn },
  plain: { prefix: "2001:db8:4003::/48", otc: null },
} as const;

const forever = "2035-01-01T00:00:00+00:00";
const lease = (prefix: string) => ({ prefix, end_time: forever });

export const one = sampleUser(11, { leases: [lease(platformPrefix)] });
/** An ASN of the pool that is in no private range. */
export const two = sampleUser(12, {
  asn: 65_900,
  leases: [lease("2001:db8:2001::/48"), lease("2001:db8:2002::/48")],
});
export const three = sampleUser(13, { leases: [] });
/** Has leased a prefix and announces nothing, so that somebody else may try. */
export const absent = sampleUser(14, { leases: [lease("2001:db8:2003::/48")] });
/** A user like any other, with a lease that only users hear of: it is in no platform prefix. */
export const rogue = sampleUser(66, { leases: [lease("2001:db8:3000::/48")] });

export const users = [one, two, three, absent, rogue];

export const rogueAddress = "100.64.0.66";
/** An address of the VPN that is nobody's. */
export const strangerAddress = "100.64.0.99";

export interface Member {
  readonly node: string;
  readonly v4: string;
  readonly v6: string;
  /** An address out of what it has leased. */
  readonly leased?: string;
}

export const exchangeMember: Member = { node: "exchange", v4: "100.64.0.1", v6: "fd7a:115c:a1e0::1" };
export const userMembers: readonly Member[] = [
  { node: "one", v4: "100.64.0.11", v6: "fd7a:115c:a1e0::b", leased: "2001:db8:1000::1" },
  { node: "two", v4: "100.64.0.12", v6: "fd7a:115c:a1e0::c", leased: "2001:db8:2001::1" },
  { node: "three", v4: "100.64.0.13", v6: "fd7a:115c:a1e0::d" },
  { node: "rogue", v4: rogueAddress, v6: "fd7a:115c:a1e0::42" },
];

/** Addresses on the exchange's links to the world. */
export const upstreamLink = { exchange: "2001:db8:f0::2", other: "2001:db8:f0::1" };
export const serverLink = { exchange: "2001:db8:f1::2", other: "2001:db8:f1::1", member: "2001:db8:f1::3" };
/** Port of the second RTR server; the first has 8282. */
export const secondCachePort = 8283;

/** The same wire: a BIRD has one session with an address. */
export const peerLink = { exchange: "2001:db8:f1::4", other: serverLink.member };

/** Route `n` of the upstream, out of RFC 9637's documentation range. */
export function farPrefix(n: number): string {
  return `3fff:${(n >> 16).toString(16)}:${(n & 0xffff).toString(16)}::/48`;
}

/** How many routes the upstream has. `VANTAGE_LAB_ROUTES=200000` is a full table. */
export const farRoutes = Number(process.env.VANTAGE_LAB_ROUTES ?? "20000");
/** The first few are of another origin than their ROA says; the next has a ROA that fits. */
export const invalidRoutes = 5;
export const coveredRoute = farPrefix(invalidRoutes);
/** A route of the far AS that comes to the upstream by another one, where a test of ASPA asks for it. */
export const detour = { prefix: "3fff:ff1::/48", by: 64_498 };

/** A host far away, behind the upstream. */
export const farHost = farPrefix(invalidRoutes + 1).replace("/48", "1");

/** What the upstream tries too: a private origin, a default route, ULA, a long prefix, and the platform's prefixes. */
export const refusedFromUpstream = [
  "3fff:fff::/48",
  "::/0",
  "fd00:1::/48",
  "3fff:ff::/64",
  "2001:db8:2009::/48",
  infrastructurePrefix,
] as const;
