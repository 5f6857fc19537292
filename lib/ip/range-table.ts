/**
 * Numbers by address: the value of the longest prefix that holds it, for millions of prefixes.
 *
 * Prefixes nest but never cross, so they cut the address space into ranges with one value each, kept in order. With
 * `10.0.0.0/8` = 1 and `10.1.0.0/16` = 2:
 *
 *     start    ::   ::ffff:0.0.0.0   10.0.0.0   10.1.0.0   10.2.0.0   11.0.0.0   ::1:0:0:0
 *     value    0    0                1          2          1          0          0
 *
 * IPv4 lies at `::ffff:0:0/96`, as in every Address, and is not a part of `::/0`. A prefix adds at most two ranges of
 * 20 bytes. A look-up begins in a bucket of the address's leading bits, compares 32-bit words and allocates nothing.
 */
import { compareWords, lastWords, nextWords, type Words, wordAt } from "./words.ts";

const wordsEach = 4;

/** 0 = no prefix holds the address. */
const noValue = 0;

/** Leading bits that choose a bucket, at most: 0.25 MB and 4 MB of buckets. A small table has about one a range. */
const ipv4BucketBitsMax = 16;
const ipv6BucketBitsMax = 20;

export class RangeTable {
  /** Starts of the ranges, four words each, the most significant first. */
  readonly starts: Uint32Array;
  readonly values: Uint32Array;
  readonly #ipv4Buckets: Uint32Array;
  readonly #ipv6Buckets: Uint32Array;
  /** What is left of a word when only the bits of its bucket remain. */
  readonly #ipv4Shift: number;
  readonly #ipv6Shift: number;

  /** Ranges in order, the first at `::`: what RangeTableBuilder makes, or what was written of it. */
  constructor(starts: Uint32Array, values: Uint32Array) {
    if (values.length === 0 || starts.length !== values.length * wordsEach) {
      throw new RangeError(`${starts.length} words of starts do not fit ${values.length} values`);
    }
    this.starts = starts;
    this.values = values;
    const bits = Math.max(1, Math.ceil(Math.log2(values.length)));
    this.#ipv4Shift = 32 - Math.min(bits, ipv4BucketBitsMax);
    this.#ipv6Shift = 32 - Math.min(bits, ipv6BucketBitsMax);
    this.#ipv4Buckets = this.#bucketsOf(this.#ipv4Shift, (top) => [0, 0, 0xffff, top]);
    this.#ipv6Buckets = this.#bucketsOf(this.#ipv6Shift, (top) => [top, 0, 0, 0]);
  }

  get rangeCount(): number {
    return this.values.length;
  }

  /** The value for the address of 16 bytes at `offset`; 0 = no prefix holds it. */
  find(bytes: Uint8Array, offset = 0): number {
    return this.findWords(
      wordAt(bytes, offset),
      wordAt(bytes, offset + 4),
      wordAt(bytes, offset + 8),
      wordAt(bytes, offset + 12),
    );
  }

  /** The same for an address of four words in host byte order, the most significant first. */
  findWords(a: number, b: number, c: number, d: number): number {
    const isIpv4 = a === 0 && b === 0 && c === 0xffff;
    const buckets = isIpv4 ? this.#ipv4Buckets : this.#ipv6Buckets;
    const bucket = isIpv4 ? d >>> this.#ipv4Shift : a >>> this.#ipv6Shift;
    const low = buckets[bucket] ?? 0;
    const high = (buckets[bucket + 1] ?? 0) + 1;
    return this.values[this.#lastAtOrBefore(low, high, a, b, c, d)] ?? noValue;
  }

  /** The last of the ranges low … high-1 that starts at the address or before it. */
  #lastAtOrBefore(from: number, to: number, a: number, b: number, c: number, d: number): number {
    let low = from;
    let high = to;
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if (this.#startsAfter(middle * wordsEach, a, b, c, d)) {
        high = middle;
      } else {
        low = middle;
      }
    }
    return low;
  }

  #startsAfter(at: number, a: number, b: number, c: number, d: number): boolean {
    const starts = this.starts;
    const first = starts[at] ?? 0;
    if (first !== a) {
      return first > a;
    }
    const second = starts[at + 1] ?? 0;
    if (second !== b) {
      return second > b;
    }
    const third = starts[at + 2] ?? 0;
    return third !== c ? third > c : (starts[at + 3] ?? 0) > d;
  }

  /** For each value of the leading bits, the range that holds the first such address; one more at the end. */
  #bucketsOf(shift: number, firstOf: (top: number) => Words): Uint32Array {
    const count = 2 ** (32 - shift);
    const buckets = new Uint32Array(count + 1);
    const last = this.values.length - 1;
    let range = 0;
    for (let bucket = 0; bucket < count; bucket++) {
      const [a, b, c, d] = firstOf((bucket << shift) >>> 0);
      while (range < last && !this.#startsAfter((range + 1) * wordsEach, a, b, c, d)) {
        range++;
      }
      buckets[bucket] = range;
    }
    buckets[count] = this.#lastIn(firstOf(0), last);
    return buckets;
  }

  /** The last range that begins in the address space of a bucket table. */
  #lastIn([a, b, c]: Words, last: number): number {
    const isIpv4 = a === 0 && b === 0 && c === 0xffff;
    return isIpv4 ? this.#lastAtOrBefore(0, last + 1, 0, 0, 0xffff, 0xffffffff) : last;
  }
}

/** Takes prefixes in any order. */
export class RangeTableBuilder {
  /** Six numbers for each prefix: the four words of its base, its length of 128 bits, its value. */
  #entries = new Uint32Array(6 * 1024);
  #count = 0;

  constructor() {
    // IPv4 lies inside ::/0 in the mapped form, but is not part of it.
    this.add([0, 0, 0xffff, 0], 96, noValue);
  }

  get count(): number {
    return this.#count - 1;
  }

  /**
   * @param base host bits are zero
   * @param bits length in the 128 bits of the mapped form: an IPv4 /8 has 104
   * @param value 0 takes the prefix out of one that holds it; when a prefix comes twice, the later value stays
   */
  add(base: Words, bits: number, value: number): void {
    const at = this.#count * 6;
    if (at === this.#entries.length) {
      const larger = new Uint32Array(this.#entries.length * 2);
      larger.set(this.#entries);
      this.#entries = larger;
    }
    this.#entries.set(base, at);
    this.#entries[at + 4] = bits;
    this.#entries[at + 5] = value;
    this.#count++;
  }

  build(): RangeTable {
    const ranges = new Ranges(this.#count);
    const open: OpenPrefix[] = [];
    for (const entry of this.#inOrder()) {
      const at = entry * 6;
      const base = wordsAt(this.#entries, at);
      closeBefore(ranges, open, base);
      ranges.begin(base, this.#entries[at + 5] ?? 0);
      open.push({
        last: lastWords(base, this.#entries[at + 4] ?? 0),
        value: this.#entries[at + 5] ?? 0,
      });
    }
    closeBefore(ranges, open, null);
    return ranges.table();
  }

  /** By address, shorter prefixes first, so that a prefix comes before those inside it; then as they were added. */
  #inOrder(): Uint32Array {
    const entries = this.#entries;
    return Uint32Array.from({ length: this.#count }, (_, i) => i).sort((x, y) => {
      for (let i = 0; i < 5; i++) {
        const difference = (entries[x * 6 + i] ?? 0) - (entries[y * 6 + i] ?? 0);
        if (difference !== 0) {
          return difference;
        }
      }
      return x - y;
    });
  }
}

interface OpenPrefix {
  readonly last: Words;
  readonly value: number;
}

/** Ends the open prefixes whose last address lies before `base`; null ends all. */
function closeBefore(ranges: Ranges, open: OpenPrefix[], base: Words | null): void {
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    if (base !== null && compareWords(top.last, base) >= 0) {
      return;
    }
    open.pop();
    const next = nextWords(top.last);
    if (next !== null) {
      ranges.begin(next, open.at(-1)?.value ?? noValue);
    }
  }
}

/** Ranges under construction, in order. */
class Ranges {
  #length = 0;
  readonly #starts: Uint32Array;
  readonly #values: Uint32Array;

  /** Each prefix begins a range and may begin another where it ends. */
  constructor(prefixes: number) {
    this.#starts = new Uint32Array((2 * prefixes + 1) * wordsEach);
    this.#values = new Uint32Array(2 * prefixes + 1);
    this.begin([0, 0, 0, 0], noValue);
  }

  /** From `start` on, addresses have `value`; a range that began at the same address before is forgotten. */
  begin(start: Words, value: number): void {
    const isAgain =
      this.#length > 0 && compareWords(wordsAt(this.#starts, (this.#length - 1) * wordsEach), start) === 0;
    const at = isAgain ? this.#length - 1 : this.#length++;
    this.#starts.set(start, at * wordsEach);
    this.#values[at] = value;
  }

  table(): RangeTable {
    return new RangeTable(
      this.#starts.slice(0, this.#length * wordsEach),
      this.#values.slice(0, this.#length),
    );
  }
}

function wordsAt(array: Uint32Array, at: number): Words {
  return [array[at] ?? 0, array[at + 1] ?? 0, array[at + 2] ?? 0, array[at + 3] ?? 0];
}
