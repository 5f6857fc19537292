/**
 * Origins of prefixes by what the peers of route collectors say, added up over any number of RIB dumps.
 *
 * The origin of a prefix is the one that most peers see; the lower AS number when two are even. Others that at least a
 * tenth of its peers see are kept too (MOAS). A prefix that fewer than 3 peers see is left out as a leak or a test,
 * unless the dumps have fewer peers in all; so are prefixes longer than /24 and /48, default routes, and bogons. The
 * AS path to an origin is of the dump in which most peers see it.
 */
import { addressOfWords, firstWords, isMappedPrefix, type Words } from "../../net/ip/words.ts";
import type { OriginsBuilder } from "./origins.ts";
import type { PeerPaths } from "./peer-paths.ts";

export interface RibPrefix {
  readonly base: Words;
  /** Prefix length in the 128 bits of the mapped form. */
  readonly bits: number;
}

/** At RIPE RIS and RouteViews collectors, a route seen by one or two peers is mostly internal to a peer. */
const peersMin = 3;
const shareMin = 0.1;
/** In the 128 bits of the mapped form: IPv4 /24, IPv6 /48. */
const ipv4BitsMax = 96 + 24;
const ipv6BitsMax = 48;

/** Numbers for each origin of a prefix: AS, peers, number of the path, peers in the dump that the path is of. */
const fields = 4;

export class OriginVotes {
  /** The key is the prefix's words and length; counts of the same prefix in several dumps add up. */
  readonly #votes = new Map<string, number[]>();
  #peers = 0;

  /**
   * @param isBogon whether an address may not be announced
   * @param origins receives the outcome, and the paths before
   */
  constructor(
    private readonly isBogon: (address: Uint8Array) => boolean,
    private readonly origins: OriginsBuilder,
  ) {}

  /** Peers of one more collector. */
  addPeers(count: number): void {
    this.#peers += count;
  }

  /** False when the prefix is left out for its length, as a bogon, or for want of a path. */
  add({ base, bits }: RibPrefix, paths: PeerPaths): boolean {
    const isIpv4 = isMappedPrefix(base, bits);
    const isDefault = bits === (isIpv4 ? 96 : 0);
    if (isDefault || bits > (isIpv4 ? ipv4BitsMax : ipv6BitsMax) || paths.counts.size === 0) {
      return false;
    }
    const words = firstWords(base, bits);
    if (this.isBogon(addressOfWords(words))) {
      return false;
    }
    const key = `${words.join(",")},${bits}`;
    const votes = this.#votes.get(key) ?? [];
    for (const [asn, count] of paths.counts) {
      this.#vote(votes, asn, count, paths);
    }
    this.#votes.set(key, votes);
    return true;
  }

  /** Adds the outcome of the vote; returns the number of prefixes that too few peers see. */
  decide(): number {
    const needed = Math.min(peersMin, this.#peers);
    let leftOut = 0;
    for (const [key, votes] of this.#votes) {
      const elected = electedOf(votes, needed);
      if (elected === null) {
        leftOut++;
      } else {
        const [a = 0, b = 0, c = 0, d = 0, bits = 0] = key.split(",").map(Number);
        const asns = elected.map(({ asn }) => asn);
        const pathIds = elected.map(({ pathId }) => pathId);
        this.origins.add([a, b, c, d], bits, asns, pathIds);
      }
    }
    return leftOut;
  }

  #vote(votes: number[], asn: number, count: number, paths: PeerPaths): void {
    const found = votes.findIndex((value, i) => i % fields === 0 && value === asn);
    const at = found < 0 ? votes.push(asn, 0, 0, 0) - fields : found;
    votes[at + 1] = (votes[at + 1] ?? 0) + count;
    if (count > (votes[at + 3] ?? 0)) {
      votes[at + 2] = this.origins.paths.idOf(paths.pathTo(asn));
      votes[at + 3] = count;
    }
  }
}

interface Vote {
  readonly asn: number;
  readonly count: number;
  readonly pathId: number;
}

/** By number of peers, the elected first; null when too few peers see the prefix. */
function electedOf(numbers: readonly number[], needed: number): Vote[] | null {
  const votes: Vote[] = [];
  for (let i = 0; i < numbers.length; i += fields) {
    votes.push({ asn: numbers[i] ?? 0, count: numbers[i + 1] ?? 0, pathId: numbers[i + 2] ?? 0 });
  }
  const peers = votes.reduce((sum, { count }) => sum + count, 0);
  if (peers < needed) {
    return null;
  }
  votes.sort((x, y) => y.count - x.count || x.asn - y.asn);
  return votes.filter(({ count }, i) => i === 0 || count >= shareMin * peers);
}
