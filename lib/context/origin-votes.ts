/**
 * Origins of prefixes by what the peers of route collectors say, added up over any number of RIB dumps.
 *
 * The origin of a prefix is the one that most peers see; the lower AS number when two are even. Others that at least a
 * tenth of its peers see are kept too (MOAS). A prefix that fewer than 3 peers see is left out as a leak or a test,
 * unless the dumps have fewer peers in all; so are prefixes longer than /24 and /48, default routes, and bogons.
 */
import { addressOfWords, firstWords, type Words } from "../ip/words.ts";
import type { OriginsBuilder } from "./origins.ts";

export interface RibPrefix {
  readonly base: Words;
  /** Prefix length in the 128 bits of the mapped form. */
  readonly bits: number;
}

/** How often each peer's best path names an origin: AS number (0 = ambiguous) to count of entries. */
export type OriginCounts = Map<number, number>;

/** At RIPE RIS and RouteViews collectors, a route seen by one or two peers is mostly internal to a peer. */
const peersMin = 3;
const shareMin = 0.1;
/** In the 128 bits of the mapped form: IPv4 /24, IPv6 /48. */
const ipv4BitsMax = 96 + 24;
const ipv6BitsMax = 48;

export class OriginVotes {
  /** The key is the prefix's words and length; counts of the same prefix in several dumps add up. */
  readonly #counts = new Map<string, number[]>();
  #peers = 0;

  /** @param isBogon for addresses that nobody may announce */
  constructor(private readonly isBogon: (address: Uint8Array) => boolean) {}

  /** Peers of one more collector. */
  addPeers(count: number): void {
    this.#peers += count;
  }

  /** False when the prefix is left out for its length or its place. */
  add({ base, bits }: RibPrefix, counts: OriginCounts): boolean {
    const isIpv4 = base[0] === 0 && base[1] === 0 && base[2] === 0xffff && bits >= 96;
    const isDefault = bits === (isIpv4 ? 96 : 0);
    if (isDefault || bits > (isIpv4 ? ipv4BitsMax : ipv6BitsMax) || counts.size === 0) {
      return false;
    }
    const words = firstWords(base, bits);
    if (this.isBogon(addressOfWords(words))) {
      return false;
    }
    const key = keyOf(words, bits);
    const pairs = this.#counts.get(key) ?? [];
    for (const [asn, count] of counts) {
      const at = pairs.findIndex((value, i) => i % 2 === 0 && value === asn);
      if (at < 0) {
        pairs.push(asn, count);
      } else {
        pairs[at + 1] = (pairs[at + 1] ?? 0) + count;
      }
    }
    this.#counts.set(key, pairs);
    return true;
  }

  /** Adds the outcome of the vote; returns the number of prefixes that too few peers see. */
  decide(origins: OriginsBuilder): number {
    const needed = Math.min(peersMin, this.#peers);
    let leftOut = 0;
    for (const [key, pairs] of this.#counts) {
      const asns = electedOf(pairs, needed);
      if (asns === null) {
        leftOut++;
      } else {
        const [a = 0, b = 0, c = 0, d = 0, bits = 0] = key.split(",").map(Number);
        origins.add([a, b, c, d], bits, asns);
      }
    }
    return leftOut;
  }
}

/** By number of peers, the elected first; null when too few peers see the prefix. */
function electedOf(pairs: readonly number[], needed: number): number[] | null {
  const votes: { readonly asn: number; readonly count: number }[] = [];
  for (let i = 0; i < pairs.length; i += 2) {
    votes.push({ asn: pairs[i] ?? 0, count: pairs[i + 1] ?? 0 });
  }
  const peers = votes.reduce((sum, { count }) => sum + count, 0);
  if (peers < needed) {
    return null;
  }
  votes.sort((x, y) => y.count - x.count || x.asn - y.asn);
  return votes.filter(({ count }, i) => i === 0 || count >= shareMin * peers).map(({ asn }) => asn);
}

function keyOf(words: Words, bits: number): string {
  return `${words.join(",")},${bits}`;
}
