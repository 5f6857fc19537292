/**
 * Origins of prefixes: which AS announces an address, by the longest prefix that holds it.
 *
 * Sections of the file: the ranges (`starts`, `values`, as RangeTable), and for the prefix with value v: its length
 * of 128 bits in `bits[v]`, its origins in `asns[offsets[v]] … asns[offsets[v + 1] - 1]`, the one of most peers
 * first. AS 0 in first place: the announcement does not say who (AS_SET). Entry 0 is empty. `pathIds` has, beside each
 * of `asns`, the number of the AS path to that origin in the table of paths; 0, and none at all when no source has
 * paths, where it is not known.
 */

import { type Prefix, prefixOf } from "../ip/prefix.ts";
import { RangeTable, RangeTableBuilder } from "../ip/range-table.ts";
import { addressOfWords, firstWords, type Words, wordsOf } from "../ip/words.ts";
import { PathTable, PathTableBuilder } from "./path-table.ts";
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

  constructor(sections: Sections) {
    this.#ranges = new RangeTable(sections.u32("starts"), sections.u32("values"));
    this.#bits = sections.u8("bits");
    this.#offsets = sections.u32("offsets");
    this.#asns = sections.u32("asns");
    this.#pathIds = sections.u32("pathIds");
    this.#paths = new PathTable(sections);
  }

  get prefixCount(): number {
    return Math.max(0, this.#bits.length - 1);
  }

  /** The AS number alone, without an allocation; 0 = none, or ambiguous. */
  asnOf(address: Uint8Array, offset = 0): number {
    const value = this.#ranges.find(address, offset);
    return value === 0 ? 0 : (this.#asns[this.#offsets[value] ?? 0] ?? 0);
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

  #prefixOf(address: Uint8Array, value: number): Prefix {
    const bits = this.#bits[value] ?? 0;
    const base = addressOfWords(firstWords(wordsOf(address), bits));
    const host = prefixOf(base, 0);
    return { base, length: host.family === 4 ? bits - 96 : bits, family: host.family };
  }
}

/** Collects prefixes with their origins, in any order; when a prefix comes twice, the later one stays. */
export class OriginsBuilder {
  readonly #ranges = new RangeTableBuilder();
  readonly #bits: number[] = [0];
  readonly #offsets: number[] = [0];
  readonly #asns: number[] = [];
  readonly #pathIds: number[] = [];
  readonly paths = new PathTableBuilder();

  /**
   * @param asns the origin of most peers first, 0 = ambiguous; at least one
   * @param pathIds numbers in `paths`, for each of `asns`; left out where the source has no paths
   */
  add(base: Words, bits: number, asns: readonly number[], pathIds: readonly number[] = []): void {
    this.#ranges.add(base, bits, this.#bits.length);
    this.#bits.push(bits);
    this.#offsets.push(this.#asns.length);
    for (const [i, pathId] of pathIds.entries()) {
      this.#pathIds[this.#asns.length + i] = pathId;
    }
    this.#asns.push(...asns);
  }

  get prefixCount(): number {
    return this.#bits.length - 1;
  }

  sections(): Readonly<Record<string, Uint32Array | Uint8Array>> {
    const { starts, values } = this.#ranges.build();
    return {
      starts,
      values,
      bits: Uint8Array.from(this.#bits),
      offsets: Uint32Array.from([...this.#offsets, this.#asns.length]),
      asns: Uint32Array.from(this.#asns),
      pathIds: Uint32Array.from(this.#pathIds, (id) => id ?? 0),
      ...this.paths.sections(),
    };
  }
}
