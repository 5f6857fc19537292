/**
 * Which partition a key goes to: murmur2 of its UTF-8 bytes, sign bit off, modulo the number of partitions.
 *
 * The same as Kafka's own clients do (`Utils.murmur2`), so records of one key share a partition with any client, and
 * both engines agree.
 */

const seed = 0x9747b28c;
const multiplier = 0x5bd1e995;
const encoder = new TextEncoder();

export function partitionOf(key: string, partitions: number): number {
  return (murmur2(encoder.encode(key)) & 0x7fffffff) % partitions;
}

/** Signed 32 bits, as Java gives it. */
export function murmur2(bytes: Uint8Array): number {
  const whole = bytes.length & ~3;
  let hash = seed ^ bytes.length;
  for (let at = 0; at < whole; at += 4) {
    const word = Math.imul(littleEndian(bytes, at, 4), multiplier);
    hash = Math.imul(hash, multiplier) ^ Math.imul(word ^ (word >>> 24), multiplier);
  }
  if (whole < bytes.length) {
    hash = Math.imul(hash ^ littleEndian(bytes, whole, bytes.length - whole), multiplier);
  }
  hash = Math.imul(hash ^ (hash >>> 13), multiplier);
  return hash ^ (hash >>> 15);
}

function littleEndian(bytes: Uint8Array, at: number, length: number): number {
  let word = 0;
  for (let index = length - 1; index >= 0; index--) {
    word = (word << 8) | (bytes[at + index] ?? 0);
  }
  return word;
}
