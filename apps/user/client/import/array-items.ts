/** Splits a JSON array into its items, also several consecutive arrays; see `text-cutter.ts`. */
import { comma, isBlank, isCloser, openBracket } from "../../../../lib/net/wire/json-bytes.ts";
import { JsonValueEnd } from "../../../../lib/net/wire/json-value-end.ts";
import { HeldBytes, type TextCutter, type TextLimits } from "./text-cutter.ts";

export class ArrayItems implements TextCutter {
  readonly #limits: TextLimits;
  readonly #held: HeldBytes;
  readonly #end = new JsonValueEnd();
  #isInArray = false;
  #isInItem = false;
  #items = 0;
  /** The chunk's offset in the file. */
  #offset = 0;
  #itemAt = 0;

  constructor(limits: TextLimits) {
    this.#limits = limits;
    this.#held = new HeldBytes(limits.bytesMax);
  }

  get isEmptyList(): boolean {
    return this.#items === 0;
  }

  *push(chunk: Uint8Array) {
    for (let at = 0; at < chunk.length; ) {
      if (!this.#isInItem) {
        at = this.#between(chunk, at);
        continue;
      }
      const found = this.#end.in(chunk, at);
      const end = found < 0 ? chunk.length : found;
      this.#held.add(chunk.subarray(at, end));
      if (found >= 0) {
        yield* this.#item();
      }
      at = end;
    }
    this.#offset += chunk.length;
  }

  end() {
    if (this.#isInItem || this.#isInArray) {
      const [reason, place] = ["array that does not end", `byte ${this.#offset}`];
      this.#limits.note({ reason, place, detail: "is the file whole?", isDamage: true });
    }
    return [];
  }

  /** After the first byte of an item, or the end of the chunk. */
  #between(chunk: Uint8Array, from: number): number {
    for (let at = from; at < chunk.length; at++) {
      const byte = chunk[at] ?? 0;
      if (!this.#isInArray && byte === openBracket) {
        this.#isInArray = true;
      } else if (this.#isInArray && isCloser(byte)) {
        this.#isInArray = false;
      } else if (!isBlank(byte) && byte !== comma) {
        this.#begin(byte, this.#offset + at);
        // Its first byte belongs to the value.
        this.#held.add(chunk.subarray(at, at + 1));
        return at + 1;
      }
    }
    return chunk.length;
  }

  #begin(byte: number, offset: number): void {
    this.#isInItem = true;
    this.#itemAt = offset;
    this.#items++;
    this.#end.start(byte);
  }

  *#item() {
    this.#isInItem = false;
    const place = `byte ${this.#itemAt}`;
    const { isTooLong, length } = this.#held;
    const text = this.#held.take();
    if (isTooLong) {
      const detail = `${length} bytes`;
      this.#limits.note({ reason: "result that is too long", place, detail, isDamage: true });
    } else {
      yield { text, place };
    }
  }
}
