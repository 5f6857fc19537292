/** Longest-prefix match over many prefixes, as in a router. */
import { formatPrefix, type Prefix } from "../../net/ip/prefix.ts";
import { type RangeTable, RangeTableBuilder } from "../../net/ip/range-table.ts";
import { mappedBits, wordsOf } from "../../net/ip/words.ts";

export class PrefixSet {
  readonly size: number;
  readonly #prefixes: readonly Prefix[];
  /** Values are indexes into `#prefixes`, counted from 1. */
  readonly #table: RangeTable;

  /** If a prefix occurs twice, the first counts. */
  constructor(prefixes: Iterable<Prefix>) {
    const distinct = new Map<string, Prefix>();
    for (const prefix of prefixes) {
      const text = formatPrefix(prefix);
      if (!distinct.has(text)) {
        distinct.set(text, prefix);
      }
    }
    this.#prefixes = [...distinct.values()].sort(inOrder);
    this.size = this.#prefixes.length;
    const builder = new RangeTableBuilder();
    for (const [index, prefix] of this.#prefixes.entries()) {
      builder.add(wordsOf(prefix.base), mappedBits(prefix), index + 1);
    }
    this.#table = builder.build();
  }

  /** The longest prefix that holds the 16-byte address at `offset`; null = none. */
  match(bytes: Uint8Array, offset = 0): Prefix | null {
    if (this.size === 0) {
      return null;
    }
    return this.#prefixes[this.#table.find(bytes, offset) - 1] ?? null;
  }

  /** The first prefix whose first address is from `first` to `last`, both included; null = none. */
  firstBetween(first: Uint8Array, last: Uint8Array): Prefix | null {
    let [low, high] = [0, this.#prefixes.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const base = this.#prefixes[middle]?.base;
      if (base !== undefined && Buffer.compare(base, first) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    const found = this.#prefixes[low];
    return found !== undefined && Buffer.compare(found.base, last) <= 0 ? found : null;
  }

  /** In order of address, shorter ones first; each once. */
  [Symbol.iterator](): IterableIterator<Prefix> {
    return this.#prefixes[Symbol.iterator]();
  }
}

function inOrder(x: Prefix, y: Prefix): number {
  return Buffer.compare(x.base, y.base) || mappedBits(x) - mappedBits(y);
}
