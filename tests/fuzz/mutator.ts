/** Damages byte strings in ways that reach far into parsers; the same seed damages the same way every time. */
export class Mutator {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** A random integer from 0 to below `bound` (mulberry32). */
  below(bound: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * bound);
  }

  /** A damaged copy: one to four flips, interesting values, cuts, or splices with another of the `others`. */
  mutate(bytes: Uint8Array, others: readonly Uint8Array[]): Uint8Array {
    let mutant: Uint8Array = bytes.slice();
    for (let times = 1 + this.below(4); times > 0; times--) {
      mutant = this.#damage(mutant, others);
    }
    return mutant;
  }

  #damage(bytes: Uint8Array, others: readonly Uint8Array[]): Uint8Array {
    if (bytes.length === 0) {
      return bytes;
    }
    const at = this.below(bytes.length);
    switch (this.below(8)) {
      case 0:
      case 1:
        bytes[at] = (bytes[at] ?? 0) ^ (1 << this.below(8));
        return bytes;
      case 2:
        bytes[at] = this.below(256);
        return bytes;
      case 3:
      case 4:
        bytes[at] = [0, 1, 2, 3, 4, 7, 8, 0x7f, 0x80, 0xff][this.below(10)] ?? 0;
        return bytes;
      case 5:
        bytes.copyWithin(at, this.below(bytes.length), this.below(bytes.length));
        return bytes;
      case 6:
        return this.below(4) === 0 ? bytes.slice(0, at) : bytes;
      default:
        return this.below(4) === 0 ? this.#splice(bytes, at, others) : bytes;
    }
  }

  /** The head of one and the tail of another, joined where either may be cut. */
  #splice(bytes: Uint8Array, at: number, others: readonly Uint8Array[]): Uint8Array {
    const other = others[this.below(others.length)] ?? bytes;
    const tail = other.subarray(this.below(2) === 0 ? Math.min(at, other.length) : this.below(other.length));
    const joined = new Uint8Array(at + tail.length);
    joined.set(bytes.subarray(0, at));
    joined.set(tail, at);
    return joined;
  }
}
