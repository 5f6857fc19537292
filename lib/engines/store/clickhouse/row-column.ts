/**
 * A column of a block whose values all have one width, written at the place of their row: numbers, addresses, times.
 *
 * Writing a row again replaces its value. The byte order is this machine's, which is the format's.
 */
import type { Filled } from "./native-block.ts";

export class RowColumn implements Filled {
  bytes = new Uint8Array(0);
  /** The same bytes. */
  u16 = new Uint16Array(0);
  u32 = new Uint32Array(0);
  length = 0;
  readonly #width: number;

  /** `width`: bytes of a value: 1, 2, or a multiple of 4. */
  constructor(width: number) {
    this.#width = width;
  }

  /** Makes room for so many rows, a multiple of 4; what is there stays. */
  grow(rows: number): void {
    const bytes = new Uint8Array(rows * this.#width);
    bytes.set(this.bytes);
    this.bytes = bytes;
    this.u16 = new Uint16Array(bytes.buffer, 0, bytes.length >> 1);
    this.u32 = new Uint32Array(bytes.buffer, 0, bytes.length >> 2);
  }

  /** Ends the column after `rows` rows. */
  end(rows: number): void {
    this.length = rows * this.#width;
  }
}
