/** A random table of routes, as collectors see one: nested prefixes, several peers, and what makes origins disputed. */
import { addressOfWords, firstWords, type Words } from "../../../lib/net/ip/words.ts";
import type { RibRoute } from "./mrt-dump.ts";

/**
 * Why two readers may give a route another origin, or one of them leaves it out.
 *
 * - `moas`: the first entry has an origin that few peers see
 * - `set`: an AS_SET of two at the end of the path
 * - `private`: the path ends in a private AS, behind the public one
 * - `rare`: fewer than 3 peers see it
 * - `long`: longer than /24 or /48
 * - `bogon`: a prefix that nobody may announce; only where addresses are not asked for
 * - `default`: 0.0.0.0/0 and ::/0
 */
const disputes = ["moas", "set", "private", "rare", "long"] as const;
type Dispute = (typeof disputes)[number] | "bogon" | "default";

interface RandomRib {
  readonly routes: readonly RibRoute[];
  /** By base in hexadecimal and length of 128 bits; routes that are seen alike by all are not in it. */
  readonly disputed: ReadonlyMap<string, Dispute>;
}

export const peers = 12;
/** A dispute is rare, as on the Internet: of each kind one route in 2,500. */
const disputeShare = 0.0004 * disputes.length;
const confederation = 3;
const asSet = 1;
const asSequence = 2;

export function routeKey(base: Uint8Array, bits: number): string {
  return `${Buffer.from(base).toString("hex")}/${bits}`;
}

/** @param random 0 up to 1, as Math.random */
export function randomRib(count: number, random: () => number): RandomRib {
  const routes = new Map<string, RibRoute>();
  const disputed = new Map<string, Dispute>();
  const upTo = (limit: number) => Math.floor(random() * limit);
  const put = (words: Words, bits: number, dispute: Dispute | null) => {
    const base = addressOfWords(firstWords(words, bits));
    const key = routeKey(base, bits);
    if (!routes.has(key)) {
      routes.set(key, routeOf({ base, bits, dispute, origin: 100 + upTo(20_000) }));
      if (dispute !== null) {
        disputed.set(key, dispute);
      }
    }
  };
  put([0, 0, 0xffff, 0], 96, "default");
  put([0, 0, 0, 0], 0, "default");
  put([0, 0, 0xffff, 0x0a000000], 104, "bogon");
  put([0x20010db8, 0, 0, 0], 32, "bogon");
  while (routes.size < count) {
    const isIpv4 = random() < 0.7;
    const dispute = random() < disputeShare ? (disputes[upTo(disputes.length)] ?? null) : null;
    const bits = bitsOf(isIpv4, dispute === "long", random);
    const words: Words = isIpv4
      ? [0, 0, 0xffff, (0x14000000 + upTo(0x04000000)) >>> 0]
      : [(0x2a000000 + upTo(0x00400000)) >>> 0, upTo(2 ** 32), 0, 0];
    put(words, bits, dispute);
  }
  return { routes: [...routes.values()], disputed };
}

function bitsOf(isIpv4: boolean, isLong: boolean, random: () => number): number {
  const longest = isIpv4 ? 120 : 48;
  const spread = isIpv4 ? 15 : 25;
  return isLong ? longest + 1 + Math.floor(random() * 4) : longest - Math.floor(random() * spread);
}

interface RouteSeen {
  readonly base: Uint8Array;
  readonly bits: number;
  readonly dispute: Dispute | null;
  readonly origin: number;
}

function routeOf({ base, bits, dispute, origin }: RouteSeen): RibRoute {
  const isIpv4 = bits >= 96;
  const prefix = { base, length: isIpv4 ? bits - 96 : bits, family: isIpv4 ? 4 : 6 } as const;
  const paths = Array.from({ length: dispute === "rare" ? 2 : peers }, (_, peer) => {
    const last = dispute === "moas" && peer === 0 ? origin + 1 : origin;
    // Some peers write their confederation before the path, and some prepend.
    const inside = peer % 5 === 1 ? [[confederation, [65001, 65002]] as const] : [];
    const prepended = peer % 4 === 2 ? [last, last] : [last];
    const behind = dispute === "private" ? [64600] : [];
    const sequence = [asSequence, [1000 + peer, 3356, ...prepended, ...behind]] as const;
    const set = dispute === "set" ? [[asSet, [last + 1, last + 2]] as const] : [];
    return { peer, segments: [...inside, sequence, ...set] };
  });
  return { prefix, paths };
}
