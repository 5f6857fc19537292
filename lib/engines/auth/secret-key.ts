/**
 * Keys of agents, operators and services: random, shown once, stored as a hash.
 *
 * A plain SHA-256 is enough where the secret has 256 random bits: it cannot be guessed, and it is fast to check.
 */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

const keyBytes = 32;

/** A prefix, by which leaked keys are found, then 43 letters, digits, `-` and `_`. */
export function makeKey(): string {
  return `vantage_${randomBytes(keyBytes).toString("base64url")}`;
}

/** 32 bytes. */
export function hashKey(key: string): Uint8Array {
  return createHash("sha256").update(key).digest();
}

/** Takes constant time for hashes of equal length. */
export function sameHash(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && timingSafeEqual(left, right);
}
