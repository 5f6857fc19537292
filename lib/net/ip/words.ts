/** Addresses as four 32-bit words in host byte order, the most significant first: for tables of millions of them. */
import type { Prefix } from "./prefix.ts";

export type Words = readonly [a: number, b: number, c: number, d: number];

/** The word whose four bytes, in network order, begin at `offset`; bytes past the end are zero. */
export function wordAt(bytes: Uint8Array, offset: number): number {
  const high = ((bytes[offset] ?? 0) << 24) | ((bytes[offset + 1] ?? 0) << 16);
  return (high | ((bytes[offset + 2] ?? 0) << 8) | (bytes[offset + 3] ?? 0)) >>> 0;
}

/** The 16-byte address at `offset`. */
export function wordsOf(bytes: Uint8Array, offset = 0): Words {
  return [
    wordAt(bytes, offset),
    wordAt(bytes, offset + 4),
    wordAt(bytes, offset + 8),
    wordAt(bytes, offset + 12),
  ];
}

/** Length of a prefix in the 128 bits of the mapped form: an IPv4 /8 has 104. */
export function mappedBits(prefix: Prefix): number {
  return prefix.family === 4 ? prefix.length + 96 : prefix.length;
}

/** Whether a prefix with `bits` of 128 is a mapped IPv4 prefix. */
export function isMappedPrefix(base: Words, bits: number): boolean {
  return base[0] === 0 && base[1] === 0 && base[2] === 0xffff && bits >= 96;
}

/** The prefix with `bits` of 128 at `base` (host bits zero): the inverse of `wordsOf` and `mappedBits`. */
export function prefixOfWords(base: Words, bits: number): Prefix {
  const isIpv4 = isMappedPrefix(base, bits);
  return { base: addressOfWords(base), length: isIpv4 ? bits - 96 : bits, family: isIpv4 ? 4 : 6 };
}

/** The address with all but its first `bits` of 128 set to zero. */
export function firstWords(address: Words, bits: number): Words {
  const network = (word: number) => {
    const ones = Math.min(32, Math.max(0, bits - 32 * word));
    return ones === 0 ? 0 : (0xffffffff << (32 - ones)) >>> 0;
  };
  return [
    (address[0] & network(0)) >>> 0,
    (address[1] & network(1)) >>> 0,
    (address[2] & network(2)) >>> 0,
    (address[3] & network(3)) >>> 0,
  ];
}

/** The last address of the prefix of `bits` of 128 at `base`. */
export function lastWords(base: Words, bits: number): Words {
  const [a, b, c, d] = firstWords([0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff], bits);
  return [(base[0] | ~a) >>> 0, (base[1] | ~b) >>> 0, (base[2] | ~c) >>> 0, (base[3] | ~d) >>> 0];
}

/** The words as an Address of 16 bytes. */
export function addressOfWords(words: Words): Uint8Array {
  const bytes = new Uint8Array(16);
  const view = new DataView(bytes.buffer);
  for (const [i, word] of words.entries()) {
    view.setUint32(4 * i, word);
  }
  return bytes;
}

/** Negative, 0 or positive, as x is below, equal to or above y. */
export function compareWords(x: Words, y: Words): number {
  return x[0] - y[0] || x[1] - y[1] || x[2] - y[2] || x[3] - y[3];
}

/** The previous address; that of `::` is the last of all. */
export function previousWords([a, b, c, d]: Words): Words {
  const borrowC = d === 0 ? 1 : 0;
  const borrowB = borrowC === 1 && c === 0 ? 1 : 0;
  const borrowA = borrowB === 1 && b === 0 ? 1 : 0;
  return [(a - borrowA) >>> 0, (b - borrowB) >>> 0, (c - borrowC) >>> 0, (d - 1) >>> 0];
}

/** The next address; null after the last of all. */
export function nextWords([a, b, c, d]: Words): Words | null {
  const carryC = d === 0xffffffff ? 1 : 0;
  const carryB = carryC === 1 && c === 0xffffffff ? 1 : 0;
  const carryA = carryB === 1 && b === 0xffffffff ? 1 : 0;
  return carryA === 1 && a === 0xffffffff
    ? null
    : [(a + carryA) >>> 0, (b + carryB) >>> 0, (c + carryC) >>> 0, (d + 1) >>> 0];
}
