/**
 * A destination's bucket: 16 bits of a hash of its address, or of the network around it, a /24 or /48. Gateway and
 * agents use the same ones. Two destinations with the same bucket count as one, never as none.
 */
import { type Address, isIpv4 } from "../../net/ip/address.ts";

const bucketBits = 16;
export const destinationBuckets = 1 << bucketBits;

/** Takes the highest bits of one of this file's hashes; all bits are equally good. */
export function bucketOf(hash: number): number {
  return hash >>> (32 - bucketBits);
}

/** 32 bits of the /24 or /48 around an address. */
export function networkHash(bytes: Address): number {
  return isIpv4(bytes)
    ? mix(wordAt(bytes, 12) >>> 8)
    : mix(mix(wordAt(bytes, 0)) ^ (wordAt(bytes, 4) >>> 16));
}

/** 32 bits of an address. */
export function addressHash(bytes: Address): number {
  return mix(mix(mix(mix(wordAt(bytes, 0)) ^ wordAt(bytes, 4)) ^ wordAt(bytes, 8)) ^ wordAt(bytes, 12));
}

/** The finaliser of MurmurHash3: every bit of the word affects every bit of the hash. */
export function mix(word: number): number {
  let hash = Math.imul(word ^ (word >>> 16) ^ 0x9e3779b9, 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

function wordAt(bytes: Uint8Array, offset: number): number {
  const high = ((bytes[offset] ?? 0) << 24) | ((bytes[offset + 1] ?? 0) << 16);
  return high | ((bytes[offset + 2] ?? 0) << 8) | (bytes[offset + 3] ?? 0);
}
