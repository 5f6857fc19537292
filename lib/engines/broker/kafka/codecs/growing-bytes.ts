/** A buffer for decompressed bytes: it grows up to a limit, and can copy from what it already holds. */

/** A batch has at most a megabyte or so on the wire; more unpacked bytes than this are an attack. */
export const unpackedBytesMax = 64 * 1024 * 1024;

export class GrowingBytes {
  #bytes: Uint8Array;
  #length = 0;

  constructor(firstBytes: number) {
    this.#bytes = new Uint8Array(Math.min(firstBytes, unpackedBytesMax));
  }

  /** Throws RangeError over the limit. */
  append(bytes: Uint8Array): void {
    this.#makeRoom(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /**
   * Appends `count` bytes that begin `distance` before the end. They may overlap what is being written: distance 1
   * repeats the last byte. Throws RangeError when that is before the start, or over the limit.
   */
  repeat(distance: number, count: number): void {
    if (distance < 1 || distance > this.#length) {
      throw new RangeError("Cannot decompress: a copy begins before the data");
    }
    this.#makeRoom(count);
    const bytes = this.#bytes;
    const end = this.#length + count;
    for (let at = this.#length; at < end; at++) {
      bytes[at] = bytes[at - distance] ?? 0;
    }
    this.#length = end;
  }

  taken(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  #makeRoom(count: number): void {
    const needed = this.#length + count;
    if (needed > unpackedBytesMax) {
      throw new RangeError(`Cannot decompress: more than ${unpackedBytesMax} bytes`);
    }
    if (needed > this.#bytes.length) {
      const bytes = new Uint8Array(Math.min(unpackedBytesMax, Math.max(needed, this.#bytes.length * 2)));
      bytes.set(this.taken());
      this.#bytes = bytes;
    }
  }
}
