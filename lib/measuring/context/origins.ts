/**
 * Origins of prefixes: which AS announces an address, by the longest prefix that holds it.
 *
 * Sections of the file: the ranges (as RangeTable), and for the prefix with value v: its length
 * of 128 bits in `bits[v]`, its origins in `asns[offsets[v]] … asns[offsets[v + 1] - 1]`, the one of most peers
 * first. AS 0 in first place: the announcement does not say who (AS_SET). Entry 0 is empty. `pathIds` has, beside each
 * of `asns`, the number of the AS path to that origin in the table of paths; 0, and none at all when no source has
 * paths, where it is not known.
 */
import type { Prefix } from "../../net/ip/prefix.ts";
import { type RangeTable, RangeTableBuilder } from "../../net/ip/range-table.ts";
import { WordList } from "../../net/ip/word-list.ts";
import { addressOfWords, firstWords, prefixOfWords, type Words, wordsOf } from "../../net/ip/words.ts";
import { PathTable, PathTableBuilder } from "./path-table.ts";
import { rangeTableOf } from "./range-sections.ts";
import type { Sections } from "./section-file.ts";

interface Origin {
  readonly prefix: Prefix;
  /** The origin that most peers see; null when the announcement does not say who it is (AS_SET). */
  readonly asn: number | null;
  /** Others that at least a tenth of the peers see (MOAS), or the members of the AS_SET; by number of peers. */
  readonly others: readonly number[];
}

export class Origins {
  readonly #ranges: RangeTable;
  readonly #bits: Uint8Array;
  readonly #offsets: Uint32Array;
  readonly #asns: Uint32Array;
  readonly #pathIds: Uint32Array;
  readonly #paths: PathTable;
  /** For each value the origin of most peers: one step less than by `#offsets`. */
  readonly #firstAsns: Uint32Array;

  constructor(sections: Sections) {
    this.#ranges = rangeTableOf(sections);
    this.#bits = sections.u8("bits");
    this.#offsets = sections.u32("offsets");
    this.#asns = sections.u32("asns");
    this.#pathIds = sections.u32("pathIds");
    this.#paths = new PathTable(sections);
    this.#firstAsns = this.#offsets.subarray(0, this.#bits.length).map((offset) => this.#asns[offset] ?? 0);
    this.#firstAsns[0] = 0;
  }

  get prefixCount(): number {
    return Math.max(0, this.#bits.length - 1);
  }

  /** The AS number alone, without an allocation; 0 = none, or ambiguous. */
  asnOf(address: Uint8Array, offset = 0): number {
    return this.#firstAsns[this.#ranges.find(address, offset)] ?? 0;
  }

  /**
   * The same for addresses of 16 bytes one behind the other.
   *
   * @param asns receives an AS number for each address
   */
  asnsOf(addresses: Uint8Array, asns: Uint32Array): void {
    this.#ranges.findAll(addresses, asns);
    for (let i = 0; i < asns.length; i++) {
      asns[i] = this.#firstAsns[asns[i] ?? 0] ?? 0;
    }
  }

  /** Null = no announced prefix covers the address. */
  find(address: Uint8Array): Origin | null {
    const value = this.#ranges.find(address);
    if (value === 0) {
      return null;
    }
    const [first = 0, ...others] = this.#asns.subarray(this.#offsets[value], this.#offsets[value + 1]);
    return { prefix: this.#prefixOf(address, value), asn: first === 0 ? null : first, others };
  }

  /** The AS path in BGP to the prefix that holds the address, its origin last; null = not known, or ambiguous. */
  pathTo(address: Uint8Array): readonly number[] | null {
    const value = this.#ranges.find(address);
    return value === 0 ? null : this.#paths.get(this.#pathIds[this.#offsets[value] ?? 0] ?? 0);
  }

  /** Ranges of one origin in order, IPv4 first, with its AS number; 0 where the announcement does not say who. */
  *ranges(): Generator<{ readonly first: Words; readonly last: Words; readonly number: number }, undefined> {
    for (const { first, last, value } of this.#ranges.ranges()) {
      yield { first, last, number: this.#firstAsns[value] ?? 0 };
    }
  }

  /** Each prefix that holds an address of its own, with the origin of most peers; without those that do not say who. */
  *prefixes(): Generator<{ readonly prefix: Prefix; readonly asn: number }> {
    const seen = new Uint8Array(this.#bits.length);
    for (const { first, value } of this.#ranges.ranges()) {
      const asn = this.#firstAsns[value] ?? 0;
      if (seen[value] === 0 && asn !== 0) {
        seen[value] = 1;
        yield { prefix: this.#prefixOf(addressOfWords(first), value), asn };
      }
    }
  }

  #prefixOf(address: Uint8Array, value: number): Prefix {
    const bits = this.#bits[value] ?? 0;
    return prefixOfWords(firstWords(wordsOf(address), bits), bits);
  }
}

/** Collects prefixes with their origins, in any order; when a prefix comes twice, the later one stays. */
export class OriginsBuilder {
  readonly #ranges = new RangeTableBuilder();
  readonly #bits = new WordList();
  readonly #offsets = new WordList();
  readonly #asns = new WordList();
  readonly #pathIds = new WordList();
  #hasPaths = false;
  readonly paths = new PathTableBuilder();

  constructor() {
    this.#bits.push(0);
    // Of value 0, which has no origins: each value's begin where those of the one before end.
    this.#offsets.push(0);
    this.#offsets.push(0);
  }

  /**
   * @param asns the origin of most peers first, 0 = ambiguous; at least one
   * @param pathIds numbers in `paths`, for each of `asns`; left out where the source has no paths
   */
  add(base: Words, bits: number, asns: readonly number[], pathIds: readonly number[] = []): void {
    this.#ranges.add(base, bits, this.#bits.length);
    this.#bits.push(bits);
    for (const [i, asn] of asns.entries()) {
      this.#asns.push(asn);
      this.#pathIds.push(pathIds[i] ?? 0);
    }
    this.#offsets.push(this.#asns.length);
    this.#hasPaths ||= pathIds.length > 0;
  }

  get prefixCount(): number {
    return this.#bits.length - 1;
  }

  sections(): Readonly<Record<string, Uint32Array | Uint8Array>> {
    return {
      ...this.#ranges.arrays(),
      bits: Uint8Array.from(this.#bits.words()),
      offsets: this.#offsets.words(),
      asns: this.#asns.words(),
      pathIds: this.#hasPaths ? this.#pathIds.words() : new Uint32Array(0),
      ...this.paths.sections(),
    };
  }
}
