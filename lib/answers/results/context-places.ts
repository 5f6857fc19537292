/** Places in a page of rows at which texts are inserted (context-pages.ts). */
import type { ContextTexts } from "./context-texts.ts";

export class ContextPlaces {
  #count = 0;
  /** For each place its first byte, the byte after its last, and the number of its text. */
  #places = new Int32Array(3 * 1024);
  #memory = Buffer.alloc(0);

  clear(): void {
    this.#count = 0;
  }

  /** Adds a place, in ascending order; where `from` is `to`, nothing is removed. */
  add(from: number, to: number, text: number): void {
    const i = 3 * this.#count++;
    if (i === this.#places.length) {
      const larger = new Int32Array(2 * i);
      larger.set(this.#places);
      this.#places = larger;
    }
    this.#places[i] = from;
    this.#places[i + 1] = to;
    this.#places[i + 2] = text;
  }

  /** The page with a text in each place; `isPassing`: in memory that the next call reuses. */
  filled(bytes: Buffer, texts: ContextTexts, isPassing: boolean): Buffer {
    const [places, end] = [this.#places, 3 * this.#count];
    let length = bytes.length;
    for (let i = 0; i < end; i += 3) {
      length += texts.length(places[i + 2] ?? 0) - ((places[i + 1] ?? 0) - (places[i] ?? 0));
    }
    const whole = isPassing ? this.#room(length) : Buffer.allocUnsafe(length);
    let [at, start] = [0, 0];
    for (let i = 0; i < end; i += 3) {
      at += bytes.copy(whole, at, start, places[i] ?? 0);
      at += texts.copy(places[i + 2] ?? 0, whole, at);
      start = places[i + 1] ?? 0;
    }
    bytes.copy(whole, at, start);
    return whole;
  }

  #room(length: number): Buffer {
    if (length > this.#memory.length) {
      this.#memory = Buffer.allocUnsafe(2 * length);
    }
    return this.#memory.subarray(0, length);
  }
}
