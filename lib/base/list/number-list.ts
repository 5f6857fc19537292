/** A list of numbers that grows without copying: a copy of 70 MB would block its thread for 100 ms. */
import type { Steps } from "./steps.ts";

/** Numbers per chunk: 512 KiB. */
const pieceBits = 16;
const pieceLength = 2 ** pieceBits;

export class NumberList {
  readonly #pieces: Float64Array<ArrayBuffer>[] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(value: number): void {
    const at = this.#length++;
    if (at % pieceLength === 0) {
      this.#pieces.push(new Float64Array(pieceLength));
    }
    const piece = this.#pieces[at >> pieceBits];
    if (piece !== undefined) {
      piece[at % pieceLength] = value;
    }
  }

  /** 0 beyond the end. */
  at(index: number): number {
    return this.#pieces[index >> pieceBits]?.[index & (pieceLength - 1)] ?? 0;
  }

  /** All of them in one array; the list is empty afterwards. */
  *taken(): Steps<Float64Array<ArrayBuffer>> {
    const all = new Float64Array(this.#length);
    for (const [index, piece] of this.#pieces.entries()) {
      const from = index * pieceLength;
      all.set(piece.subarray(0, Math.min(pieceLength, all.length - from)), from);
      yield;
    }
    this.#pieces.length = 0;
    this.#length = 0;
    return all;
  }
}
