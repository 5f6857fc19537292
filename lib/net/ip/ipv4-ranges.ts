/** The IPv4 half of a RangeTable: an address is one number. */

/**
 * Most leading bits that choose a bucket: 4 MB of buckets, each with one or two ranges in a full Internet
 * table.
 */
const bucketBitsMax = 20;

/** Most addresses looked up in a batch: their search bounds stay in the L1 cache. */
export const blockMax = 512;

export class Ipv4Ranges {
  readonly #starts: Uint32Array;
  readonly #values: Uint32Array;
  /** For each value of the leading bits, the range that holds the first such address; one more at the end. */
  readonly #buckets: Uint32Array;
  /** Right shift of an address that gives its bucket. */
  readonly #shift: number;
  /** Search bounds of the batch. */
  readonly #lows = new Uint32Array(blockMax);
  readonly #highs = new Uint32Array(blockMax);

  /** Ranges in order, the first at 0.0.0.0. */
  constructor(starts: Uint32Array, values: Uint32Array) {
    this.#starts = starts;
    this.#values = values;
    const bits = Math.min(bucketBitsMax, Math.max(1, Math.ceil(Math.log2(values.length))));
    this.#shift = 32 - bits;
    this.#buckets = this.#makeBuckets(2 ** bits);
  }

  find(address: number): number {
    const bucket = address >>> this.#shift;
    let low = this.#buckets[bucket] ?? 0;
    let high = (this.#buckets[bucket + 1] ?? 0) + 1;
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if ((this.#starts[middle] ?? 0) > address) {
        high = middle;
      } else {
        low = middle;
      }
    }
    return this.#values[low] ?? 0;
  }

  /**
   * Finds the first `count` addresses as a batch, so that their memory loads overlap.
   */
  findAll(addresses: Uint32Array, values: Uint32Array, count: number): void {
    const [starts, buckets, shift] = [this.#starts, this.#buckets, this.#shift];
    const [lows, highs] = [this.#lows, this.#highs];
    for (let i = 0; i < count; i++) {
      const bucket = (addresses[i] ?? 0) >>> shift;
      lows[i] = buckets[bucket] ?? 0;
      highs[i] = (buckets[bucket + 1] ?? 0) + 1;
    }
    for (let i = 0; i < count; i++) {
      const address = addresses[i] ?? 0;
      let low = lows[i] ?? 0;
      let high = highs[i] ?? 0;
      while (high - low > 1) {
        const middle = (low + high) >>> 1;
        const isAfter = (starts[middle] ?? 0) > address;
        high = isAfter ? middle : high;
        low = isAfter ? low : middle;
      }
      lows[i] = low;
    }
    for (let i = 0; i < count; i++) {
      values[i] = this.#values[lows[i] ?? 0] ?? 0;
    }
  }

  *all(): Generator<readonly [first: number, last: number, value: number]> {
    for (const [i, first] of this.#starts.entries()) {
      yield [first, (this.#starts[i + 1] ?? 2 ** 32) - 1, this.#values[i] ?? 0];
    }
  }

  #makeBuckets(count: number): Uint32Array {
    const buckets = new Uint32Array(count + 1);
    const last = this.#starts.length - 1;
    let range = 0;
    for (let bucket = 0; bucket < count; bucket++) {
      const first = (bucket << this.#shift) >>> 0;
      while (range < last && (this.#starts[range + 1] ?? 0) <= first) {
        range++;
      }
      buckets[bucket] = range;
    }
    buckets[count] = last;
    return buckets;
  }
}

/** Words of an entry: base, length of the prefix, value. */
export const ipv4EntryWords = 3;

/** Bits of a sort key that hold the entry's place; its length takes the other 6 of the lower half. */
const indexBits = 26;

/**
 * Cuts nested prefixes into ranges. When a prefix comes twice, the later value stays.
 *
 * @param entries of `ipv4EntryWords` each
 * @throws RangeError above 67 million entries
 */
export function flattenIpv4(entries: Uint32Array): { starts: Uint32Array; values: Uint32Array } {
  const count = entries.length / ipv4EntryWords;
  const ranges = new Ipv4Flattening(count);
  for (const index of inOrder(entries, count)) {
    const at = index * ipv4EntryWords;
    ranges.open(entries[at] ?? 0, entries[at + 1] ?? 0, entries[at + 2] ?? 0);
  }
  return ranges.finish();
}

/** By address, shorter prefixes first, so that a prefix comes before those inside it; then as they were added. */
function inOrder(entries: Uint32Array, count: number): Uint32Array {
  if (count > 2 ** indexBits) {
    throw new RangeError(`${count} prefixes are more than the ${2 ** indexBits} that a table holds`);
  }
  // 64-bit keys sort without a compare function, ten times as fast. The lower half comes first
  // (little-endian).
  const keys = new BigUint64Array(count);
  const halves = new Uint32Array(keys.buffer);
  for (let i = 0; i < count; i++) {
    halves[2 * i] = (entries[i * ipv4EntryWords + 1] ?? 0) * 2 ** indexBits + i;
    halves[2 * i + 1] = entries[i * ipv4EntryWords] ?? 0;
  }
  keys.sort();
  return Uint32Array.from({ length: count }, (_, i) => (halves[2 * i] ?? 0) & (2 ** indexBits - 1));
}

class Ipv4Flattening {
  readonly #starts: Uint32Array;
  readonly #values: Uint32Array;
  #length = 0;
  /** Last addresses and values of the prefixes that hold the current position. */
  readonly #lasts: number[] = [];
  readonly #openValues: number[] = [];

  /** Each prefix begins a range and may begin another where it ends. */
  constructor(prefixes: number) {
    this.#starts = new Uint32Array(2 * prefixes + 1);
    this.#values = new Uint32Array(2 * prefixes + 1);
    this.#begin(0, 0);
  }

  open(base: number, bits: number, value: number): void {
    this.#closeBefore(base);
    this.#begin(base, value);
    this.#lasts.push(base + 2 ** (32 - bits) - 1);
    this.#openValues.push(value);
  }

  finish(): { starts: Uint32Array; values: Uint32Array } {
    this.#closeBefore(2 ** 32);
    return { starts: this.#starts.slice(0, this.#length), values: this.#values.slice(0, this.#length) };
  }

  #closeBefore(base: number): void {
    for (let last = this.#lasts.at(-1); last !== undefined && last < base; last = this.#lasts.at(-1)) {
      this.#lasts.pop();
      this.#openValues.pop();
      if (last < 0xffffffff) {
        this.#begin(last + 1, this.#openValues.at(-1) ?? 0);
      }
    }
  }

  /** Begins a range at `start`; it replaces one that began at the same address. */
  #begin(start: number, value: number): void {
    const isAgain = this.#length > 0 && this.#starts[this.#length - 1] === start;
    const at = isAgain ? this.#length - 1 : this.#length++;
    this.#starts[at] = start;
    this.#values[at] = value;
  }
}
