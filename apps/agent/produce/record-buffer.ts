/** The value of a record under construction: bytes are appended, without an object for each piece. */

/** Size of the first buffer: a reply or two. */
const bytesMin = 512;

export class RecordBuffer {
  bytes = 0;
  #buffer = Buffer.allocUnsafeSlow(bytesMin);

  /** Copies `source` from `from` to `to`. */
  append(source: Buffer, from: number, to: number): void {
    const end = this.bytes + to - from;
    if (end > this.#buffer.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(end, 2 * this.#buffer.length));
      this.#buffer.copy(larger, 0, 0, this.bytes);
      this.#buffer = larger;
    }
    source.copy(this.#buffer, this.bytes, from, to);
    this.bytes = end;
  }

  /** A copy of the bytes; the buffer is emptied and keeps its memory. */
  take(): Uint8Array {
    const value = new Uint8Array(this.bytes);
    this.#buffer.copy(value, 0, 0, this.bytes);
    this.bytes = 0;
    return value;
  }
}
