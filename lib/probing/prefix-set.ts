/**
 * Which of many prefixes, if any, holds an address: the most specific one, as a router would choose.
 *
 * Prefixes nest but never cross, so they cut the address space into ranges with one owner each. The ranges are kept in
 * order: four 32-bit words for the start of each, and the number of its owner. With `10.0.0.0/8` and `10.1.0.0/16`:
 *
 *     start      0.0.0.0   10.0.0.0   10.1.0.0   10.2.0.0   11.0.0.0
 *     owner      none      /8         /16        /8         none
 *
 * A look-up is a binary search that allocates nothing: 2 words compared in 17 steps for 100,000 prefixes. A prefix adds
 * at most two ranges, of 20 bytes each.
 */
import { type Address, addressBytes, mapped } from "../ip/address.ts";
import { type Prefix, prefixMask } from "../ip/prefix.ts";

const words = 4;
const nobody = -1;

export class PrefixSet {
  readonly size: number;
  readonly #prefixes: readonly Prefix[];
  /** Starts of the ranges, `words` each, in host byte order. */
  readonly #starts: Uint32Array;
  readonly #owners: Int32Array;

  constructor(prefixes: Iterable<Prefix>) {
    this.#prefixes = sorted(prefixes);
    this.size = this.#prefixes.length;
    const ranges = new Ranges(this.size + 1);
    fill(ranges, this.#prefixes);
    this.#starts = ranges.starts.slice(0, ranges.length * words);
    this.#owners = ranges.owners.slice(0, ranges.length);
  }

  /** The longest prefix that holds the address of 16 bytes at `offset`; null = none does. */
  match(bytes: Uint8Array, offset = 0): Prefix | null {
    const owner = this.#owners[this.#rangeOf(bytes, offset)] ?? nobody;
    return owner === nobody ? null : (this.#prefixes[owner] ?? null);
  }

  /** In order of address, shorter ones first; each once. */
  [Symbol.iterator](): IterableIterator<Prefix> {
    return this.#prefixes[Symbol.iterator]();
  }

  /** The last range that starts at the address or before it. */
  #rangeOf(bytes: Uint8Array, offset: number): number {
    const a = wordAt(bytes, offset);
    const b = wordAt(bytes, offset + 4);
    const c = wordAt(bytes, offset + 8);
    const d = wordAt(bytes, offset + 12);
    let low = 0;
    let high = this.#owners.length;
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if (this.#startsAfter(middle * words, a, b, c, d)) {
        high = middle;
      } else {
        low = middle;
      }
    }
    return low;
  }

  #startsAfter(at: number, a: number, b: number, c: number, d: number): boolean {
    const starts = this.#starts;
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
}

/** Ranges under construction, in order. */
class Ranges {
  length = 0;
  readonly starts: Uint32Array;
  readonly owners: Int32Array;

  /** Each of `nested` prefixes begins a range and may begin another where it ends. */
  constructor(nested: number) {
    this.starts = new Uint32Array((2 * nested + 1) * words);
    this.owners = new Int32Array(2 * nested + 1);
    this.begin(new Uint8Array(addressBytes), nobody);
  }

  /** From `start` on, `owner` holds the addresses; what began at the same place before it is forgotten. */
  begin(start: Address, owner: number): void {
    const at = this.length > 0 && this.#lastStartsAt(start) ? this.length - 1 : this.length++;
    for (let i = 0; i < words; i++) {
      this.starts[at * words + i] = wordAt(start, 4 * i);
    }
    this.owners[at] = owner;
  }

  #lastStartsAt(start: Address): boolean {
    const last = (this.length - 1) * words;
    return [0, 1, 2, 3].every((i) => this.starts[last + i] === wordAt(start, 4 * i));
  }
}

/** IPv4 lies inside `::/0` in the mapped form, and yet is no part of it. */
const ipv4: Prefix = { base: mapped([0, 0, 0, 0]), length: 0, family: 4 };

/** Walks through the prefixes in order, with those open at the moment on a stack. */
function fill(ranges: Ranges, prefixes: readonly Prefix[]): void {
  const open: { readonly owner: number; readonly last: Address }[] = [];
  const close = () => {
    const closed = open.pop();
    const next = closed && successor(closed.last);
    if (next) {
      ranges.begin(next, open.at(-1)?.owner ?? nobody);
    }
  };
  const owned = prefixes.map((prefix, owner) => ({ prefix, owner }));
  const steps = [{ prefix: ipv4, owner: nobody }, ...owned].sort((x, y) => inOrder(x.prefix, y.prefix));
  for (const { prefix, owner } of steps) {
    while (open.length > 0 && compare(open.at(-1)?.last ?? prefix.base, prefix.base) < 0) {
      close();
    }
    ranges.begin(prefix.base, owner);
    open.push({ owner, last: lastOf(prefix) });
  }
  while (open.length > 0) {
    close();
  }
}

/** By address, shorter prefixes first, so that a prefix comes before those inside it; doubles are left out. */
function sorted(prefixes: Iterable<Prefix>): Prefix[] {
  const all = [...prefixes].sort(inOrder);
  return all.filter((prefix, i) => inOrder(all[i - 1] ?? prefix, prefix) !== 0 || i === 0);
}

function inOrder(x: Prefix, y: Prefix): number {
  return compare(x.base, y.base) || bitsOf(x) - bitsOf(y);
}

/** Length among the 128 bits of the mapped form. */
function bitsOf(prefix: Prefix): number {
  return prefix.family === 4 ? prefix.length + 96 : prefix.length;
}

function lastOf(prefix: Prefix): Address {
  const mask = prefixMask(prefix);
  return prefix.base.map((byte, i) => byte | (0xff ^ (mask[i] ?? 0)));
}

/** The next address; null after the last of all. */
function successor(address: Address): Address | null {
  const next = Uint8Array.from(address);
  for (let i = addressBytes - 1; i >= 0; i--) {
    const byte = ((next[i] ?? 0) + 1) & 0xff;
    next[i] = byte;
    if (byte !== 0) {
      return next;
    }
  }
  return null;
}

function compare(x: Address, y: Address): number {
  for (let i = 0; i < addressBytes; i++) {
    const difference = (x[i] ?? 0) - (y[i] ?? 0);
    if (difference !== 0) {
      return difference;
    }
  }
  return 0;
}

function wordAt(bytes: Uint8Array, offset: number): number {
  const high = ((bytes[offset] ?? 0) << 24) | ((bytes[offset + 1] ?? 0) << 16);
  return (high | ((bytes[offset + 2] ?? 0) << 8) | (bytes[offset + 3] ?? 0)) >>> 0;
}
