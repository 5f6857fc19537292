/**
 * A random order of 0 … size-1 that needs no memory: a keyed bijection, computed index by index.
 *
 * A Feistel network of `rounds` rounds permutes the numbers of 2 h bits, the smallest such set that holds `size`
 * numbers; a result beyond `size` is permuted again until it falls inside ("cycle walking", Black and Rogaway
 * 2002), on average less than 4 times. Order for a campaign, not secrecy: the round function is a plain mixer.
 */
import { mix32 } from "./mixer.ts";

const rounds = 6;

export class Permutation {
  readonly #size: number;
  /** 2^h: each half is a number below it. */
  readonly #half: number;
  readonly #keys: Uint32Array;

  /** `size` is 1 to 2^52; the same seed gives the same order. */
  constructor(size: number, seed: number) {
    this.#size = size;
    this.#half = 2 ** Math.ceil(Math.ceil(Math.log2(Math.max(size, 2))) / 2);
    this.#keys = Uint32Array.from({ length: rounds }, (_, round) => mix32(seed, round));
  }

  /** The number at position `index` of the order. */
  at(index: number): number {
    let value = this.#once(index);
    while (value >= this.#size) {
      value = this.#once(value);
    }
    return value;
  }

  #once(value: number): number {
    let left = Math.floor(value / this.#half);
    let right = value % this.#half;
    for (const key of this.#keys) {
      // A half is a power of two of at most 26 bits, so its low bits are a mask.
      const next = (left ^ mix32(right, key)) & (this.#half - 1);
      left = right;
      right = next;
    }
    return left * this.#half + right;
  }
}
