/**
 * A small Internet around the platform, as data: three exchange servers, two sites of one user who announces the same
 * prefix at both (anycast), three upstreams with daemons of three makers, ten stub networks with a target each.
 *
 *     west ─┬─ ixp-1 ── bird (AS64601) ── s0 s1 s2    bird, frr and gobgp are joined in a triangle;
 *           └─ ixp-3 ── gobgp (64603) ─── s6 s7       s8 buys from bird and frr, s9 from frr and gobgp
 *     east ─── ixp-2 ── frr (64602) ───── s3 s4 s5
 *
 * Each exchange server has a VPN of its own; `vpn` stands for all three. Everybody who has to speak to the gateways or
 * the collector is also in the management network 10.99.0.0/24.
 */
export const platformAsn = 64_500;
export const prefix = "2001:db8:51::/48";
/** Where probes come from, at both sites. */
export const source = "2001:db8:51::1";
export const infrastructurePrefix = "2001:db8:ffff::/48";

export const exchanges = [
  { node: "x1", name: "ixp-1", site: "west", upstream: "bird", v4: "100.64.0.1", v6: "fd7a:115c:a1e0::1" },
  { node: "x2", name: "ixp-2", site: "east", upstream: "frr", v4: "100.64.0.2", v6: "fd7a:115c:a1e0::2" },
  { node: "x3", name: "ixp-3", site: "west", upstream: "gobgp", v4: "100.64.0.3", v6: "fd7a:115c:a1e0::3" },
] as const;
export type Exchange = (typeof exchanges)[number];

export const sites = [
  { node: "west", v4: "100.64.0.11", v6: "fd7a:115c:a1e0::b" },
  { node: "east", v4: "100.64.0.12", v6: "fd7a:115c:a1e0::c" },
] as const;
export type Site = (typeof sites)[number];

export const upstreams = [
  { node: "bird", asn: 64_601 },
  { node: "frr", asn: 64_602 },
  { node: "gobgp", asn: 64_603 },
] as const;

const providers = [
  ["bird"],
  ["bird"],
  ["bird"],
  ["frr"],
  ["frr"],
  ["frr"],
  ["gobgp"],
  ["gobgp"],
  ["bird", "frr"],
  ["frr", "gobgp"],
] as const;
export const stubs = providers.map((upstreamsOfIt, index) => ({
  node: `s${index}`,
  asn: 64_700 + index,
  prefix: `2001:db8:a${index}::/48`,
  target: `2001:db8:a${index}::1`,
  providers: upstreamsOfIt,
}));
export type Stub = (typeof stubs)[number];

export const targets = stubs.map(({ target }) => target);

/** One end of a link: the device is called as the node at the other end. */
export interface LinkEnd {
  readonly node: string;
  readonly peer: string;
  readonly own: string;
  readonly other: string;
  readonly asn: number;
  readonly peerAsn: number;
}

const asns = new Map<string, number>([
  ...exchanges.map(({ node }) => [node, platformAsn] as const),
  ...upstreams.map(({ node, asn }) => [node, asn] as const),
  ...stubs.map(({ node, asn }) => [node, asn] as const),
]);
const pairs: readonly (readonly [string, string])[] = [
  ...exchanges.map(({ node, upstream }) => [node, upstream] as const),
  ["bird", "frr"],
  ["frr", "gobgp"],
  ["bird", "gobgp"],
  ...stubs.flatMap(({ node, providers: own }) => own.map((provider) => [provider, node] as const)),
];

/** Both ends of each link, with /64s of their own. */
export const linkEnds: readonly LinkEnd[] = pairs.flatMap(([one, two], index) => {
  const [first, second] = [`2001:db8:f${index.toString(16)}::1`, `2001:db8:f${index.toString(16)}::2`];
  const [asn, peerAsn] = [asns.get(one) ?? 0, asns.get(two) ?? 0];
  return [
    { node: one, peer: two, own: first, other: second, asn, peerAsn },
    { node: two, peer: one, own: second, other: first, asn: peerAsn, peerAsn: asn },
  ];
});

export function endsOf(node: string): LinkEnd[] {
  return linkEnds.filter((end) => end.node === node);
}

/** Nodes in the management network, in the order of their addresses, the first of them the gateways' own. */
const managed = ["mgmt", ...exchanges.map(({ node }) => node), "west", "east", "bird", "frr", "gobgp"];
export const nodes = [...managed, "vpn", ...stubs.map(({ node }) => node)];

export function managementAddress(node: string): string {
  return `10.99.0.${managed.indexOf(node) + 1}`;
}

export const managementNodes = managed.slice(1);
/** By which routers are shown whose files are followed. */
export const routerIds = { bird: "192.0.2.101", frr: "192.0.2.102", gobgp: "192.0.2.103" } as const;
export const bmpPort = 11_019;
