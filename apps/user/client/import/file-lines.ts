/** Splits a file into its lines; see `text-cutter.ts`. */
import { HeldBytes, type TextCutter, type TextLimits } from "./text-cutter.ts";

const newline = 10;

export class FileLines implements TextCutter {
  readonly isEmptyList = false;
  readonly #limits: TextLimits;
  readonly #held: HeldBytes;
  #number = 0;

  constructor(limits: TextLimits) {
    this.#limits = limits;
    this.#held = new HeldBytes(limits.bytesMax);
  }

  *push(chunk: Uint8Array) {
    let from = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, from)) {
      this.#held.add(chunk.subarray(from, end));
      yield* this.#line();
      from = end + 1;
    }
    this.#held.add(chunk.subarray(from));
  }

  *end() {
    yield* this.#line();
  }

  /** None for a blank line. */
  *#line() {
    this.#number++;
    const place = `line ${this.#number}`;
    const { isTooLong, length } = this.#held;
    const text = this.#held.take();
    if (isTooLong) {
      const detail = `${length} bytes: give one result a line`;
      this.#limits.note({ reason: "line that is too long", place, detail, isDamage: true });
    } else if (text.trim() !== "") {
      yield { text, place };
    }
  }
}
