/** Reads bytes from the front; never past the end. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get left(): number {
    return this.#bytes.length - this.#at;
  }

  byte(): number {
    return this.take(1)[0] ?? 0;
  }

  /** Unsigned, of 1 to 4 bytes, the lowest first. */
  littleEndian(length: number): number {
    let value = 0;
    for (const [index, byte] of this.take(length).entries()) {
      value += byte * 2 ** (8 * index);
    }
    return value;
  }

  /** Unsigned, of 4 bytes, the highest first. */
  bigEndian(): number {
    let value = 0;
    for (const byte of this.take(4)) {
      value = value * 256 + byte;
    }
    return value;
  }

  /** A view of the next `count` bytes. Throws RangeError when fewer are left. */
  take(count: number): Uint8Array {
    if (count > this.left) {
      throw new RangeError("Cannot decompress: the data end too early");
    }
    this.#at += count;
    return this.#bytes.subarray(this.#at - count, this.#at);
  }
}
