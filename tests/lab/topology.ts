/**
 * The Internet of the lab, as data: nodes (each a network namespace), links, and the prefixes behind them.
 *
 *     east - eastAccess \         / up1 - up2 \                                   / target     kernel host
 *                        split --              join - quiet - edge ---
 *     west - westAccess /         \ low1- low2 /     (silent)                     \ virtual -- responder
 *
 * split sends each flow one way or the other; quiet forwards but never sends an ICMP error. A router answers
 * from one address, 10.255.0.ID and 2001:db8:255::ID, whichever way the question came. Links are numbered by
 * their place in the list: 10.10.N.0/29 and 2001:db8:10:N::/64, first end 1, second end 2.
 */

export interface PrefixPair {
  readonly v4: string;
  readonly v6: string;
}

export interface Node {
  readonly name: string;
  /** Hosts send and receive; routers forward. */
  readonly role: "vantage" | "router" | "target";
  /** 1–254, unique: the last part of the node's own address. */
  readonly id: number;
  /** Forwards, but sends no ICMP error. */
  readonly silent?: boolean;
  /** Vantage points: a prefix routed to the node and configured on no interface. */
  readonly routed?: PrefixPair;
  /** Vantage points: a prefix that several of them share; each answer goes to the nearest. */
  readonly anycast?: PrefixPair;
  /** More addresses of the node itself, on its loopback. */
  readonly addresses?: PrefixPair;
  /** Each address of the prefix is the node's own. */
  readonly local?: PrefixPair;
  /** Routers: what the choice among equal ways is seeded with, where it shall not be that of all routers. */
  readonly multipathSeed?: number;
  /** Routers: what they choose by among equal ways of IPv6; default: addresses and ports. */
  readonly multipathBy?: "label";
  /** Refuses to forward there: "administratively prohibited". */
  readonly prohibited?: PrefixPair;
  /** Prefixes that a responder process behind the node answers for, through this device. */
  readonly responder?: ResponderPort;
  /** TCP port with a listener, on every address of the node. */
  readonly openTcpPort?: number;
}

export interface ResponderPort {
  /** A TUN device; or a veth pair with a packet socket at its far end, where TUN cannot be opened. */
  readonly port: "tun" | "veth";
  readonly prefixes: readonly PrefixPair[];
  /** Every answer carries these, outermost first; veth only. */
  readonly vlanTags?: readonly VlanTag[];
  /** Path of a topology that answers instead: fakeroute's lines, or the plan of an Internet as JSON. */
  readonly simulates?: string;
}

/** 802.1Q is 0x8100, 802.1ad 0x88a8. */
export type VlanTag = readonly [etherType: number, id: number];

export interface Link {
  readonly a: string;
  readonly b: string;
  /** Instead of the numbered prefixes: /29 and /64, so that spare addresses are left. */
  readonly prefix?: PrefixPair;
}

export interface Topology {
  readonly nodes: readonly Node[];
  readonly links: readonly Link[];
}

/** What the responder plays; `scenario.ts` numbers its targets and hops inside these. */
const virtualTargets: PrefixPair = { v4: "198.51.100.0/24", v6: "2001:db8:51::/64" };
const virtualRouters: PrefixPair = { v4: "10.200.0.0/24", v6: "2001:db8:200::/64" };

/** Announced at east and at west: split has both at the same distance, and parts what comes back by its source. */
export const anycastPrefix: PrefixPair = { v4: "10.110.0.0/24", v6: "2001:db8:a000::/48" };

const everything: PrefixPair = { v4: "0.0.0.0/0", v6: "::/0" };

export const internet: Topology = {
  nodes: [
    {
      name: "east",
      role: "vantage",
      id: 101,
      routed: { v4: "10.101.0.0/24", v6: "2001:db8:e000::/48" },
      anycast: anycastPrefix,
    },
    {
      name: "west",
      role: "vantage",
      id: 102,
      routed: { v4: "10.102.0.0/24", v6: "2001:db8:f000::/48" },
      anycast: anycastPrefix,
    },
    { name: "eastAccess", role: "router", id: 1 },
    { name: "westAccess", role: "router", id: 2 },
    { name: "split", role: "router", id: 3 },
    { name: "up1", role: "router", id: 4 },
    { name: "up2", role: "router", id: 5 },
    { name: "low1", role: "router", id: 6 },
    { name: "low2", role: "router", id: 7 },
    { name: "join", role: "router", id: 8 },
    { name: "quiet", role: "router", id: 9, silent: true },
    {
      name: "edge",
      role: "router",
      id: 10,
      prohibited: { v4: "203.0.113.128/25", v6: "2001:db8:cb:1::/64" },
    },
    {
      name: "target",
      role: "target",
      id: 103,
      addresses: { v4: "203.0.113.10/32", v6: "2001:db8:cb::10/128" },
      openTcpPort: 80,
    },
    {
      name: "virtual",
      role: "router",
      id: 11,
      responder: { port: "tun", prefixes: [virtualTargets, virtualRouters] },
    },
  ],
  links: [
    { a: "eastAccess", b: "east", prefix: { v4: "192.0.2.0/29", v6: "2001:db8:e::/64" } },
    { a: "westAccess", b: "west", prefix: { v4: "192.0.2.8/29", v6: "2001:db8:f::/64" } },
    { a: "eastAccess", b: "split" },
    { a: "westAccess", b: "split" },
    { a: "split", b: "up1" },
    { a: "split", b: "low1" },
    { a: "up1", b: "up2" },
    { a: "low1", b: "low2" },
    { a: "up2", b: "join" },
    { a: "low2", b: "join" },
    { a: "join", b: "quiet" },
    { a: "quiet", b: "edge" },
    { a: "edge", b: "target" },
    { a: "edge", b: "virtual" },
  ],
};

const customerTag: VlanTag = [0x8100, 100];
const serviceTag: VlanTag = [0x88a8, 7];

/** Hosts whose answers carry VLAN tags. */
export const taggedHosts = [
  { name: "tagged", vlanTags: [customerTag] },
  { name: "serviceTagged", vlanTags: [serviceTag] },
  { name: "stacked", vlanTags: [serviceTag, customerTag] },
  { name: "stackedOdd", vlanTags: [customerTag, serviceTag] },
  { name: "stackedTwice", vlanTags: [customerTag, customerTag] },
] as const;

/** The Internet and, apart from it, hosts whose one interface is special and leads straight to a responder. */
export const testInternet: Topology = {
  nodes: [
    ...internet.nodes,
    {
      name: "tunnelHost",
      role: "vantage",
      id: 104,
      addresses: { v4: "192.0.2.17/32", v6: "2001:db8:17::1/128" },
      responder: { port: "tun", prefixes: [everything] },
    },
    ...taggedHosts.map(({ name, vlanTags }, i) => {
      const responder = { port: "veth", prefixes: [everything], vlanTags } as const;
      return { name, role: "vantage", id: 110 + i, responder } as const;
    }),
    { name: "lonelyHost", role: "vantage", id: 106 },
  ],
  links: internet.links,
};
