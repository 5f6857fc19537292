/**
 * Path attributes packed into 32-bit words: equal attributes have equal words, and unpacking restores the attributes.
 *
 * | words  | what                                                                                          |
 * |--------|-----------------------------------------------------------------------------------------------|
 * | 1      | bits 0-1 the origin (0 = none, then IGP, EGP, INCOMPLETE), and which of the next five follow  |
 * | 4      | next hop                                                                                      |
 * | 1 each | MED, local preference, the AS of OTC                                                          |
 * | 5      | aggregator: AS, address                                                                       |
 * | 4      | originator                                                                                    |
 * | 1 + n  | parts of the AS path: u31 number of ASes, bit 0 = they are a set; then the ASes               |
 * | 1 + n  | communities, two halves each                                                                  |
 * | 1 + 2n | extended communities                                                                          |
 * | 1 + 3n | large communities                                                                             |
 * | 1 + 4n | cluster list                                                                                  |
 *
 * The AS path is preceded by the number of its parts.
 */
import type { PathAttributes } from "../bgp/path-attributes.ts";
import { type Address, addressBytes } from "../ip/address.ts";
import { wordAt } from "../ip/words.ts";

const origins = ["IGP", "EGP", "INCOMPLETE"] as const;
const hasNextHop = 1 << 2;
const hasMed = 1 << 3;
const hasLocalPreference = 1 << 4;
const hasOnlyToCustomer = 1 << 5;
const hasAggregator = 1 << 6;
const hasOriginator = 1 << 7;
const isAtomicAggregate = 1 << 8;

/** Packs attributes into the first `length` words of `words`, until the next call. */
export class AttributePacker {
  words = new Uint32Array(256);
  length = 0;

  pack(one: PathAttributes): void {
    this.length = 0;
    this.#add(flagsOf(one));
    this.#addAddress(one.nextHop);
    this.#addNumber(one.med);
    this.#addNumber(one.localPreference);
    this.#addNumber(one.onlyToCustomer);
    if (one.aggregator !== null) {
      this.#add(one.aggregator.asn);
      this.#addAddress(one.aggregator.address);
    }
    this.#addAddress(one.originatorId);
    this.#addPath(one.asPath);
    this.#addMarks(one);
  }

  #addPath(path: PathAttributes["asPath"]): void {
    const partsAt = this.length;
    let parts = 0;
    this.#add(0);
    for (let i = 0; i < path.length; parts++) {
      const part = path[i];
      if (typeof part === "object") {
        this.#add(part.length * 2 + 1);
        for (const asn of part) {
          this.#add(asn);
        }
        i++;
      } else {
        const runAt = this.length;
        this.#add(0);
        for (let asn = part; typeof asn === "number"; asn = path[++i] as typeof part) {
          this.#add(asn);
        }
        this.words[runAt] = (this.length - runAt - 1) * 2;
      }
    }
    this.words[partsAt] = parts;
  }

  #addMarks({ communities, extendedCommunities, largeCommunities, clusterList }: PathAttributes): void {
    this.#add(communities.length);
    for (const one of communities) {
      this.#add((one[0] << 16) | one[1]);
    }
    this.#add(extendedCommunities.length);
    for (const text of extendedCommunities) {
      this.#add(Number.parseInt(text.slice(0, 8), 16));
      this.#add(Number.parseInt(text.slice(8), 16));
    }
    this.#add(largeCommunities.length);
    for (const one of largeCommunities) {
      this.#add(one[0]);
      this.#add(one[1]);
      this.#add(one[2]);
    }
    this.#add(clusterList.length);
    for (const id of clusterList) {
      this.#addAddress(id);
    }
  }

  #addNumber(value: number | null): void {
    if (value !== null) {
      this.#add(value);
    }
  }

  #addAddress(address: Address | null): void {
    if (address !== null) {
      for (let at = 0; at < 16; at += 4) {
        this.#add(wordAt(address, at));
      }
    }
  }

  #add(word: number): void {
    if (this.length === this.words.length) {
      const larger = new Uint32Array(2 * this.length);
      larger.set(this.words);
      this.words = larger;
    }
    this.words[this.length++] = word;
  }
}

function flagsOf(one: PathAttributes): number {
  return (
    (one.origin === null ? 0 : origins.indexOf(one.origin) + 1) |
    (one.nextHop === null ? 0 : hasNextHop) |
    (one.med === null ? 0 : hasMed) |
    (one.localPreference === null ? 0 : hasLocalPreference) |
    (one.onlyToCustomer === null ? 0 : hasOnlyToCustomer) |
    (one.aggregator === null ? 0 : hasAggregator) |
    (one.originatorId === null ? 0 : hasOriginator) |
    (one.isAtomicAggregate ? isAtomicAggregate : 0)
  );
}

/** The attributes whose words begin at `at`. */
export function unpackAttributes(words: Uint32Array, at: number): PathAttributes {
  const flags = words[at] ?? 0;
  const reader = new PackedReader(words, at + 1);
  return {
    origin: origins[(flags & 3) - 1] ?? null,
    nextHop: (flags & hasNextHop) === 0 ? null : reader.address(),
    med: (flags & hasMed) === 0 ? null : reader.number(),
    localPreference: (flags & hasLocalPreference) === 0 ? null : reader.number(),
    onlyToCustomer: (flags & hasOnlyToCustomer) === 0 ? null : reader.number(),
    isAtomicAggregate: (flags & isAtomicAggregate) !== 0,
    aggregator: (flags & hasAggregator) === 0 ? null : { asn: reader.number(), address: reader.address() },
    originatorId: (flags & hasOriginator) === 0 ? null : reader.address(),
    asPath: reader.path(),
    communities: reader.communities(),
    extendedCommunities: reader.extendedCommunities(),
    largeCommunities: reader.largeCommunities(),
    clusterList: reader.clusters(),
  };
}

/** Reads what `AttributePacker` has written, in its order. */
class PackedReader {
  readonly #words: Uint32Array;
  #at: number;

  constructor(words: Uint32Array, at: number) {
    this.#words = words;
    this.#at = at;
  }

  number(): number {
    return this.#words[this.#at++] ?? 0;
  }

  address(): Address {
    const address = new Uint8Array(addressBytes);
    for (let at = 0; at < addressBytes; at += 4) {
      const word = this.number();
      address[at] = word >>> 24;
      address[at + 1] = word >>> 16;
      address[at + 2] = word >>> 8;
      address[at + 3] = word;
    }
    return address;
  }

  path(): PathAttributes["asPath"] {
    const path: (number | readonly number[])[] = [];
    for (let parts = this.number(); parts > 0; parts--) {
      const head = this.number();
      const set: number[] = [];
      const asns: (number | readonly number[])[] = (head & 1) === 0 ? path : set;
      for (let left = head >>> 1; left > 0; left--) {
        asns.push(this.number());
      }
      if (asns === set) {
        path.push(set);
      }
    }
    return path;
  }

  communities(): PathAttributes["communities"] {
    const found: (readonly [number, number])[] = [];
    for (let left = this.number(); left > 0; left--) {
      const both = this.number();
      found.push([both >>> 16, both & 0xffff]);
    }
    return found;
  }

  extendedCommunities(): string[] {
    const found: string[] = [];
    for (let left = this.number(); left > 0; left--) {
      found.push(hexOf(this.number()) + hexOf(this.number()));
    }
    return found;
  }

  largeCommunities(): PathAttributes["largeCommunities"] {
    const found: (readonly [number, number, number])[] = [];
    for (let left = this.number(); left > 0; left--) {
      found.push([this.number(), this.number(), this.number()]);
    }
    return found;
  }

  clusters(): Address[] {
    const found: Address[] = [];
    for (let left = this.number(); left > 0; left--) {
      found.push(this.address());
    }
    return found;
  }
}

function hexOf(word: number): string {
  return word.toString(16).padStart(8, "0");
}
