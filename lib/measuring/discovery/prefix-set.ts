/** A set of prefixes by their numbers, from 0: a bit each, that of prefix 0 the lowest of the first byte. */
export class PrefixSet {
  readonly bytes: Uint8Array;
  #size = 0;

  /** Restores a set from the `bytes` of another one. */
  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    for (const byte of bytes) {
      for (let rest = byte; rest > 0; rest &= rest - 1) {
        this.#size++;
      }
    }
  }

  /** An empty one for prefixes below `count`. */
  static empty(count: number): PrefixSet {
    return new PrefixSet(new Uint8Array(Math.ceil(count / 8)));
  }

  get size(): number {
    return this.#size;
  }

  has(prefix: number): boolean {
    return (((this.bytes[prefix >> 3] ?? 0) >> (prefix & 7)) & 1) === 1;
  }

  /** Returns whether it was new. */
  add(prefix: number): boolean {
    if (this.has(prefix)) {
      return false;
    }
    this.bytes[prefix >> 3] = (this.bytes[prefix >> 3] ?? 0) | (1 << (prefix & 7));
    this.#size++;
    return true;
  }
}
