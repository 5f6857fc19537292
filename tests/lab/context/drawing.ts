/**
 * The Internet of the context lab, as data: 18 networks that speak BGP, two exchanges, two route collectors.
 *
 *     T1 ============ T2           at the top, peers; T1 sells to M1, M2, C1, T2 to M2, M3, M4, X1
 *     |  \     \     / | \  \
 *     M1  M2    C1  M2 M3 M4 X1    A-IX: M1, M2, M3, C1; B-IX: M3, M4, C1, X1
 *     |\  |\        |\ |\
 *     S1 S2 S3    N3 S4 S5         M4 sells to S6, S7, S8; S8 to S9; S5 to S4, for a part of its prefix
 *
 * What makes it hard is named beside each network and link below. Every router answers from the interface by which a
 * probe came, as RFC 1812 s.4.3.2.4 leaves to it and most routers do, but for S2's.
 */

type DaemonKind = "bird" | "frr";

export interface DrawnRouter {
  readonly name: string;
  /** Null: it only forwards, by static routes. */
  readonly daemon: DaemonKind | null;
  /** Forwards, but sends no ICMP error. */
  readonly isSilent?: boolean;
  /** Answers nothing to anybody, as a host behind a firewall. */
  readonly isDeaf?: boolean;
  /** Answers from the interface by which its answer leaves, so that the address may be of a third network's link. */
  readonly answersByRoute?: boolean;
}

export interface Network {
  readonly name: string;
  readonly asn: number;
  /** Its own prefix is 10.NUMBER.0.0/16. */
  readonly number: number;
  /** In a chain: each is linked with the next one. */
  readonly routers: readonly DrawnRouter[];
  /** Announced besides its own prefix. */
  readonly alsoAnnounces?: readonly string[];
  /** Addresses at the end of the chain besides the usual one. */
  readonly alsoAnswers?: readonly string[];
  /** Where the links inside have their addresses from; its own prefix when left out. */
  readonly linksFrom?: string;
}

/** Between routers of two networks; `a` sells transit to `b`, or they are peers. */
export interface Border {
  readonly a: string;
  readonly b: string;
  readonly kind: "sells" | "peers";
  /** Whose addresses the link has: one end's, nobody's that are announced, or private ones. */
  readonly from: "a" | "b" | "unannounced" | "private";
  /** How much `b` likes this way up, beside others; 50 when left out. */
  readonly preference?: number;
  /** How often `b` prepends its own AS before its own prefixes here. */
  readonly prepends?: Readonly<Record<string, number>>;
  /** Own prefixes that `b` does not announce here. */
  readonly withholds?: readonly string[];
}

export interface Lan {
  readonly name: string;
  /** The number that the exchange has at PeeringDB. */
  readonly id: number;
  /** A /24. */
  readonly prefix: string;
  readonly server: { readonly name: string; readonly asn: number; readonly daemon: DaemonKind };
  readonly members: readonly {
    readonly router: string;
    /** Last part of the address. */
    readonly host: number;
    /** What PeeringDB lists: this address when left out, an outdated one, or nothing of this network. */
    readonly listed?: number | null;
  }[];
}

interface Collector {
  readonly name: string;
  readonly asn: number;
  readonly daemon: DaemonKind;
  /** Routers that send it their whole table. */
  readonly peers: readonly string[];
}

const bird = (name: string): DrawnRouter => ({ name, daemon: "bird" });
const frr = (name: string): DrawnRouter => ({ name, daemon: "frr" });
const plain = (name: string): DrawnRouter => ({ name, daemon: null });

/** Announced by two networks at two places (MOAS). */
const sharedPrefix = "10.99.0.0/16";
export const sharedTarget = "10.99.100.1";
/** Longer than /24: BGP has it, sets of context leave it out. */
const longPrefix = "10.10.128.0/25";
export const longTarget = "10.10.128.1";

export const networks: readonly Network[] = [
  { name: "T1", asn: 64496, number: 1, routers: [frr("t1a"), frr("t1b")] },
  { name: "T2", asn: 64497, number: 2, routers: [bird("t2a"), bird("t2b")] },
  { name: "M1", asn: 64498, number: 3, routers: [bird("m1a"), bird("m1b")] },
  // Two daemons in one network.
  { name: "M2", asn: 64499, number: 4, routers: [frr("m2a"), bird("m2b")] },
  // Its inner link has addresses of its sibling N3.
  { name: "M3", asn: 64500, number: 5, routers: [bird("m3a"), bird("m3b")], linksFrom: "10.16.64.0/24" },
  // It leaks the LAN of B-IX into BGP.
  {
    ...{ name: "M4", asn: 64501, number: 6, routers: [frr("m4a"), frr("m4b")] },
    alsoAnnounces: ["198.51.100.0/24"],
  },
  {
    ...{ name: "S1", asn: 64502, number: 7, routers: [bird("s1"), plain("s1h")] },
    ...{ alsoAnnounces: [sharedPrefix], alsoAnswers: [sharedTarget] },
  },
  // Two ways up; its border answers by the one that it likes.
  {
    ...{ name: "S2", asn: 64503, number: 8 },
    routers: [{ ...frr("s2"), answersByRoute: true }, plain("s2h")],
  },
  { name: "S3", asn: 64504, number: 9, routers: [bird("s3"), plain("s3h")] },
  // The border that leads to M3 is silent.
  {
    ...{ name: "S4", asn: 64505, number: 10, alsoAnnounces: [longPrefix], alsoAnswers: [longTarget] },
    routers: [{ ...bird("s4"), isSilent: true }, bird("s4c"), plain("s4h")],
  },
  { name: "S5", asn: 64506, number: 11, routers: [frr("s5"), plain("s5h")] },
  // Its inner links have addresses of the prefix that S1 announces too.
  {
    ...{ name: "S6", asn: 64507, number: 12, routers: [bird("s6"), plain("s6c"), plain("s6h")] },
    ...{ alsoAnnounces: [sharedPrefix], alsoAnswers: [sharedTarget], linksFrom: "10.99.64.0/24" },
  },
  // Behind its border nobody answers.
  {
    ...{ name: "S7", asn: 64508, number: 13 },
    routers: [bird("s7"), { ...plain("s7h"), isDeaf: true }],
  },
  // One router, all whose addresses towards the Internet are its provider's.
  { name: "S8", asn: 65536, number: 14, routers: [bird("s8")] },
  { name: "S9", asn: 65537, number: 15, routers: [bird("s9"), plain("s9h")] },
  // M3's sibling.
  { name: "N3", asn: 65538, number: 16, routers: [bird("n3"), plain("n3h")] },
  { name: "C1", asn: 65539, number: 17, routers: [frr("c1"), plain("c1h")] },
  { name: "X1", asn: 65540, number: 18, routers: [bird("x1"), plain("x1h")] },
];

export const borders: readonly Border[] = [
  { a: "t1a", b: "t2a", kind: "peers", from: "a" },
  { a: "t1b", b: "m1a", kind: "sells", from: "a" },
  { a: "t1b", b: "m2a", kind: "sells", from: "a" },
  { a: "t1a", b: "c1", kind: "sells", from: "a" },
  { a: "t2b", b: "m2b", kind: "sells", from: "b" },
  { a: "t2b", b: "m3a", kind: "sells", from: "a" },
  { a: "t2b", b: "m4a", kind: "sells", from: "a" },
  { a: "t2a", b: "x1", kind: "sells", from: "a" },
  { a: "m1b", b: "s1", kind: "sells", from: "a" },
  { a: "m1b", b: "s2", kind: "sells", from: "a" },
  { a: "m2b", b: "s2", kind: "sells", from: "a", preference: 60, prepends: { "10.8.0.0/16": 2 } },
  { a: "m2b", b: "s3", kind: "sells", from: "b" },
  { a: "m3b", b: "n3", kind: "sells", from: "a" },
  { a: "m3b", b: "s4", kind: "sells", from: "a", withholds: [longPrefix] },
  { a: "m3b", b: "s5", kind: "sells", from: "unannounced" },
  { a: "s5", b: "s4c", kind: "sells", from: "a" },
  { a: "m4b", b: "s6", kind: "sells", from: "private", prepends: { [sharedPrefix]: 2 } },
  { a: "m4b", b: "s7", kind: "sells", from: "a" },
  { a: "m4b", b: "s8", kind: "sells", from: "a" },
  { a: "s8", b: "s9", kind: "sells", from: "a" },
];

export const lans: readonly Lan[] = [
  {
    ...{ name: "A-IX", id: 1, prefix: "203.0.113.0/24" },
    server: { name: "rsa", asn: 65548, daemon: "bird" },
    members: [
      { router: "m1a", host: 11 },
      { router: "m2a", host: 12 },
      { router: "m3a", host: 13 },
      { router: "c1", host: 17 },
    ],
  },
  {
    ...{ name: "B-IX", id: 2, prefix: "198.51.100.0/24" },
    server: { name: "rsb", asn: 65549, daemon: "frr" },
    members: [
      { router: "m3b", host: 13 },
      { router: "m4a", host: 14 },
      // Its address has changed since it was listed.
      { router: "c1", host: 17, listed: 27 },
      { router: "x1", host: 18, listed: null },
    ],
  },
];

export const collectors: readonly Collector[] = [
  { name: "col1", asn: 65550, daemon: "frr", peers: ["t1a", "m4a", "s1"] },
  { name: "col2", asn: 65551, daemon: "bird", peers: ["t2a", "m2b", "c1"] },
];

/** Where traces begin. */
export const probers = ["s1h", "s2h", "s3h", "s9h", "c1h", "n3h"] as const;
