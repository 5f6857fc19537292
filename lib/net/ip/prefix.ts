/** CIDR prefixes over 16-byte addresses; an IPv4 prefix keeps its own length (0–32). */
import { type Address, type Family, familyOf, formatAddress, parseAddress } from "./address.ts";

export interface Prefix {
  /** Host bits are zero. */
  readonly base: Address;
  /** In the address's own family: 0–32 or 0–128. */
  readonly length: number;
  readonly family: Family;
}

/**
 * Reads `address/length`; a bare address is a host prefix. Returns null on bad text, and when host bits are
 * set, because then either the address or the length is a mistake.
 */
export function parsePrefix(text: string): Prefix | null {
  const slash = text.indexOf("/");
  const base = parseAddress(slash < 0 ? text : text.slice(0, slash));
  if (base === null) {
    return null;
  }
  const family = familyOf(base);
  const bits = family === 4 ? 32 : 128;
  const lengthText = slash < 0 ? String(bits) : text.slice(slash + 1);
  const length = Number(lengthText);
  if (!/^\d{1,3}$/.test(lengthText) || length > bits) {
    return null;
  }
  return hasHostBits(base, length) ? null : { base, length, family };
}

/** Whether a bit beyond `length` (in the address's own family) is set. */
export function hasHostBits(address: Address, length: number): boolean {
  const bits = familyOf(address) === 4 ? length + 96 : length;
  for (let at = bits >> 3; at < 16; at++) {
    const mask = at === bits >> 3 ? 0xff >> (bits & 7) : 0xff;
    if (((address[at] ?? 0) & mask) !== 0) {
      return true;
    }
  }
  return false;
}

/** The prefix of this length (in the address's own family) that holds `address`. */
export function prefixOf(address: Address, length: number): Prefix {
  const family = familyOf(address);
  const mask = maskBytes(family === 4 ? length + 96 : length);
  return { base: address.map((byte, i) => byte & (mask[i] ?? 0)), length, family };
}

export function formatPrefix(prefix: Prefix): string {
  return `${formatAddress(prefix.base)}/${prefix.length}`;
}

/** Never true across families: `::/0` holds no IPv4 address. */
export function prefixContains(prefix: Prefix, address: Address): boolean {
  const mask = prefixMask(prefix);
  return (
    prefix.family === familyOf(address) &&
    prefix.base.every((byte, i) => byte === ((address[i] ?? 0) & (mask[i] ?? 0)))
  );
}

/** 16 mask bytes that fit `base`: an IPv4 /8 has 104 one bits. */
export function prefixMask(prefix: Prefix): Uint8Array {
  return maskBytes(prefix.family === 4 ? prefix.length + 96 : prefix.length);
}

function maskBytes(bits: number): Uint8Array {
  return Uint8Array.from({ length: 16 }, (_, i) => {
    const ones = Math.min(8, Math.max(0, bits - 8 * i));
    return 0xff & (0xff << (8 - ones));
  });
}

/** Ors a number of up to 22 bits into the bits that end at `end`. */
export function addBits(bytes: Address, value: number, end: number): void {
  for (let bit = end - 1, left = value; left > 0; bit--, left >>= 1) {
    bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) | ((left & 1) << (7 - (bit & 7)));
  }
}
