/** Facts about ranges of addresses where few distinct facts serve many ranges: places, delegations, exchange LANs. */
import { prefixesOfRange } from "../../net/ip/address-range.ts";
import type { Prefix } from "../../net/ip/prefix.ts";
import { type RangeTable, RangeTableBuilder } from "../../net/ip/range-table.ts";
import { addressOfWords, prefixOfWords, type Words } from "../../net/ip/words.ts";
import { rangeTableOf } from "./range-sections.ts";
import type { Sections } from "./section-file.ts";

export class ValuedRanges<Fact> {
  readonly #ranges: RangeTable;
  readonly #facts: readonly Fact[];

  /** @param facts the builder's output outside the sections */
  constructor(sections: Sections, facts: readonly Fact[]) {
    this.#ranges = rangeTableOf(sections);
    this.#facts = facts;
  }

  /** The fact of the longest prefix that holds the address of 16 bytes at `offset`; null = no prefix does. */
  find(address: Uint8Array, offset = 0): Fact | null {
    return this.#facts[this.#ranges.find(address, offset) - 1] ?? null;
  }

  /** Its ranges in order, IPv4 first, with a number made of the fact and its place in the list. */
  *numbered(
    numberOf: (fact: Fact, index: number) => number,
  ): Generator<{ readonly first: Words; readonly last: Words; readonly number: number }, undefined> {
    for (const { first, last, value } of this.#ranges.ranges()) {
      const fact = this.#facts[value - 1];
      if (fact !== undefined) {
        yield { first, last, number: numberOf(fact, value - 1) };
      }
    }
  }

  /** Prefixes that do not overlap, with the place of their fact in the list, and the fact. */
  *prefixes(): Generator<{ readonly prefix: Prefix; readonly index: number; readonly fact: Fact }> {
    for (const { first, last, value } of this.#ranges.ranges()) {
      const fact = this.#facts[value - 1];
      if (fact === undefined) {
        continue;
      }
      for (const { base, bits } of prefixesOfRange(addressOfWords(first), addressOfWords(last))) {
        yield { prefix: prefixOfWords(base, bits), index: value - 1, fact };
      }
    }
  }
}

/** Takes prefixes in any order; when a prefix comes twice, the later fact stays. Facts are plain data, as of JSON. */
export class ValuedRangesBuilder<Fact> {
  readonly #ranges = new RangeTableBuilder();
  readonly #facts: Fact[] = [];
  /** Places in `#facts`, counted from 1, by the fact's JSON. */
  readonly #values = new Map<string, number>();

  get prefixCount(): number {
    return this.#ranges.count;
  }

  add(base: Words, bits: number, fact: Fact): void {
    const key = JSON.stringify(fact);
    const value = this.#values.get(key) ?? this.#facts.push(fact);
    this.#values.set(key, value);
    this.#ranges.add(base, bits, value);
  }

  sections(): Readonly<Record<string, Uint32Array>> {
    return { ...this.#ranges.arrays() };
  }

  facts(): readonly Fact[] {
    return this.#facts;
  }
}
