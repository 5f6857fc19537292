/**
 * The IPv6 half of a RangeTable: an address is four words.
 *
 * The first words of all starts lie together, then all second words, and so on: a search reads mostly first
 * words, as routes are rarely longer than /48, and a cache line holds sixteen of them.
 */
import { blockMax } from "./ipv4-ranges.ts";
import { compareWords, lastWords, nextWords, previousWords, type Words } from "./words.ts";

/**
 * 4 MB of buckets at most. They divide the space from the first start to the last, as most space is empty.
 */
const bucketsMax = 2 ** 20;

export class Ipv6Ranges {
  readonly #a: Uint32Array;
  readonly #b: Uint32Array;
  readonly #c: Uint32Array;
  readonly #d: Uint32Array;
  readonly #values: Uint32Array;
  /** For each step of the first word, the range that holds the first such address; one more at the end. */
  readonly #buckets: Uint32Array;
  readonly #shift: number;
  /** Search bounds of the batch. */
  readonly #lows = new Uint32Array(blockMax);
  readonly #highs = new Uint32Array(blockMax);
  /** First words of the second range and of the last. */
  readonly #from: number;
  readonly #to: number;

  /** Ranges in order, the first at `::`. */
  constructor(starts: Uint32Array, values: Uint32Array) {
    const count = values.length;
    this.#a = starts.subarray(0, count);
    this.#b = starts.subarray(count, 2 * count);
    this.#c = starts.subarray(2 * count, 3 * count);
    this.#d = starts.subarray(3 * count);
    this.#values = values;
    this.#from = this.#a[Math.min(1, count - 1)] ?? 0;
    this.#to = this.#a[count - 1] ?? 0;
    const steps = 2 * count;
    this.#shift = Math.max(
      0,
      Math.ceil(Math.log2((this.#to - this.#from + 1) / Math.min(bucketsMax, steps))),
    );
    this.#buckets = this.#makeBuckets(((this.#to - this.#from) >>> this.#shift) + 1);
  }

  find(a: number, b: number, c: number, d: number): number {
    if (a < this.#from || a > this.#to) {
      return this.#values[a < this.#from ? 0 : this.#values.length - 1] ?? 0;
    }
    const bucket = (a - this.#from) >>> this.#shift;
    const low = this.#buckets[bucket] ?? 0;
    return this.#values[this.#within(low, (this.#buckets[bucket + 1] ?? 0) + 1, a, b, c, d)] ?? 0;
  }

  /** The last of the ranges from `low` to before `high` that does not start after the address. */
  #within(first: number, end: number, a: number, b: number, c: number, d: number): number {
    let [low, high] = [first, end];
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if (this.#startsAfter(middle, a, b, c, d)) {
        high = middle;
      } else {
        low = middle;
      }
    }
    return low;
  }

  /** Finds the first `count` addresses as a batch; each has four words, one after the other. */
  findAll(words: Uint32Array, values: Uint32Array, count: number): void {
    for (let i = 0; i < count; i++) {
      const a = words[4 * i] ?? 0;
      if (a < this.#from || a > this.#to) {
        const only = a < this.#from ? 0 : this.#values.length - 1;
        this.#lows[i] = only;
        this.#highs[i] = only + 1;
        continue;
      }
      const bucket = (a - this.#from) >>> this.#shift;
      this.#lows[i] = this.#buckets[bucket] ?? 0;
      this.#highs[i] = (this.#buckets[bucket + 1] ?? 0) + 1;
    }
    for (let i = 0; i < count; i++) {
      const at = 4 * i;
      const [a, b, c, d] = [words[at] ?? 0, words[at + 1] ?? 0, words[at + 2] ?? 0, words[at + 3] ?? 0];
      this.#lows[i] = this.#within(this.#lows[i] ?? 0, this.#highs[i] ?? 0, a, b, c, d);
    }
    for (let i = 0; i < count; i++) {
      values[i] = this.#values[this.#lows[i] ?? 0] ?? 0;
    }
  }

  *all(): Generator<readonly [first: Words, last: Words, value: number]> {
    const end: Words = [0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff];
    for (const [i, value] of this.#values.entries()) {
      const next = i + 1 < this.#values.length ? previousWords(this.#startAt(i + 1)) : end;
      yield [this.#startAt(i), next, value];
    }
  }

  #startAt(range: number): Words {
    return [this.#a[range] ?? 0, this.#b[range] ?? 0, this.#c[range] ?? 0, this.#d[range] ?? 0];
  }

  #startsAfter(range: number, a: number, b: number, c: number, d: number): boolean {
    const first = this.#a[range] ?? 0;
    if (first !== a) {
      return first > a;
    }
    const second = this.#b[range] ?? 0;
    if (second !== b) {
      return second > b;
    }
    const third = this.#c[range] ?? 0;
    return third !== c ? third > c : (this.#d[range] ?? 0) > d;
  }

  #makeBuckets(count: number): Uint32Array {
    const buckets = new Uint32Array(count + 1);
    const last = this.#values.length - 1;
    let range = 0;
    for (let bucket = 0; bucket < count; bucket++) {
      const first = this.#from + bucket * 2 ** this.#shift;
      while (range < last && !this.#startsAfter(range + 1, first, 0, 0, 0)) {
        range++;
      }
      buckets[bucket] = range;
    }
    buckets[count] = last;
    return buckets;
  }
}

/** Words of an entry: the four of the base, length of the prefix, value. */
export const ipv6EntryWords = 6;

/**
 * Cuts nested prefixes into ranges. When a prefix comes twice, the later value stays.
 *
 * @param entries of `ipv6EntryWords` each
 * @returns starts as Ipv6Ranges takes them
 */
export function flattenIpv6(entries: Uint32Array): { starts: Uint32Array; values: Uint32Array } {
  const count = entries.length / ipv6EntryWords;
  const ranges = new Ipv6Flattening();
  for (const index of inOrder(entries, count)) {
    const at = index * ipv6EntryWords;
    const [a = 0, b = 0, c = 0, d = 0, bits = 0, value = 0] = entries.subarray(at, at + ipv6EntryWords);
    ranges.open([a, b, c, d], bits, value);
  }
  return ranges.finish();
}

/** By address, shorter prefixes first, so that a prefix comes before those inside it; then as they were added. */
function inOrder(entries: Uint32Array, count: number): Uint32Array {
  return Uint32Array.from({ length: count }, (_, i) => i).sort((x, y) => {
    for (let i = 0; i < ipv6EntryWords - 1; i++) {
      const difference = (entries[x * ipv6EntryWords + i] ?? 0) - (entries[y * ipv6EntryWords + i] ?? 0);
      if (difference !== 0) {
        return difference;
      }
    }
    return x - y;
  });
}

class Ipv6Flattening {
  readonly #starts: Words[] = [];
  readonly #values: number[] = [];
  /** The prefixes that hold the current position. */
  readonly #open: { readonly last: Words; readonly value: number }[] = [];

  constructor() {
    this.#begin([0, 0, 0, 0], 0);
  }

  open(base: Words, bits: number, value: number): void {
    this.#closeBefore(base);
    this.#begin(base, value);
    this.#open.push({ last: lastWords(base, bits), value });
  }

  finish(): { starts: Uint32Array; values: Uint32Array } {
    this.#closeBefore(null);
    const count = this.#starts.length;
    const starts = new Uint32Array(4 * count);
    for (const [i, [a, b, c, d]] of this.#starts.entries()) {
      starts[i] = a;
      starts[count + i] = b;
      starts[2 * count + i] = c;
      starts[3 * count + i] = d;
    }
    return { starts, values: Uint32Array.from(this.#values) };
  }

  /** Ends the open prefixes whose last address lies before `base`; null ends all. */
  #closeBefore(base: Words | null): void {
    for (let top = this.#open.at(-1); top !== undefined; top = this.#open.at(-1)) {
      if (base !== null && compareWords(top.last, base) >= 0) {
        return;
      }
      this.#open.pop();
      const next = nextWords(top.last);
      if (next !== null) {
        this.#begin(next, this.#open.at(-1)?.value ?? 0);
      }
    }
  }

  /** Begins a range at `start`; it replaces one that began at the same address. */
  #begin(start: Words, value: number): void {
    const before = this.#starts.at(-1);
    if (before !== undefined && compareWords(before, start) === 0) {
      this.#values[this.#values.length - 1] = value;
    } else {
      this.#starts.push(start);
      this.#values.push(value);
    }
  }
}
