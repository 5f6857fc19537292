/**
 * SipHash-2-4 (Aumasson and Bernstein, 2012): a keyed 64-bit hash for short inputs.
 *
 * Plain BigInt arithmetic: the reference for the WebAssembly version, and fast enough for a trace.
 */

export interface SipKey {
  readonly k0: bigint;
  readonly k1: bigint;
}

const mask64 = 0xffff_ffff_ffff_ffffn;

/** The two halves of a 16-byte key, each little-endian. */
export function sipKey(bytes: Uint8Array): SipKey {
  const view = new DataView(bytes.buffer, bytes.byteOffset, 16);
  return { k0: view.getBigUint64(0, true), k1: view.getBigUint64(8, true) };
}

/** Hashes whole 8-byte words (each little-endian); a shorter tail is not needed here. */
export function sipHash(key: SipKey, words: readonly bigint[]): bigint {
  const state = new BigUint64Array([
    key.k0 ^ 0x736f6d6570736575n,
    key.k1 ^ 0x646f72616e646f6dn,
    key.k0 ^ 0x6c7967656e657261n,
    key.k1 ^ 0x7465646279746573n,
  ]);
  const lengthWord = BigInt(words.length * 8) << 56n;
  for (const word of [...words, lengthWord & mask64]) {
    xor(state, 3, word);
    rounds(state, 2);
    xor(state, 0, word);
  }
  xor(state, 2, 0xffn);
  rounds(state, 4);
  return at(state, 0) ^ at(state, 1) ^ at(state, 2) ^ at(state, 3);
}

function rounds(state: BigUint64Array, count: number): void {
  for (let i = 0; i < count; i++) {
    halfRound(state, 0, 1, 13n, 32n);
    halfRound(state, 2, 3, 16n, 0n);
    halfRound(state, 0, 3, 21n, 0n);
    halfRound(state, 2, 1, 17n, 32n);
  }
}

function halfRound(state: BigUint64Array, a: number, b: number, turnB: bigint, turnA: bigint): void {
  state[a] = at(state, a) + at(state, b);
  state[b] = rotate(at(state, b), turnB) ^ at(state, a);
  state[a] = rotate(at(state, a), turnA);
}

function rotate(word: bigint, bits: bigint): bigint {
  return ((word << bits) | (word >> (64n - bits))) & mask64;
}

function xor(state: BigUint64Array, i: number, word: bigint): void {
  state[i] = at(state, i) ^ word;
}

function at(state: BigUint64Array, i: number): bigint {
  return state[i] ?? 0n;
}
