/** Splits a file into texts, and buffers a text that arrives in chunks. */
import type { PassedOver } from "../../../../lib/base/list/passed-over.ts";

export interface TextLimits {
  readonly bytesMax: number;
  readonly note: PassedOver["note"];
}

export interface PlacedText {
  readonly text: string;
  readonly place: string;
}

/** Splits a file, at any chunk boundaries. Texts have at most `bytesMax` bytes. */
export interface TextCutter {
  push(chunk: Uint8Array): Iterable<PlacedText>;
  end(): Iterable<PlacedText>;
  /** Whether there was any content: an array without results is an empty list. */
  readonly isEmptyList: boolean;
}

/** Bytes of one text, up to a limit; for a longer one only the length is kept. */
export class HeldBytes {
  readonly #bytesMax: number;
  #parts: Uint8Array[] = [];
  #length = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  get isTooLong(): boolean {
    return this.#length > this.#bytesMax;
  }

  get length(): number {
    return this.#length;
  }

  /** Copies the bytes: the chunk may be reused. */
  add(bytes: Uint8Array): void {
    this.#length += bytes.length;
    if (this.isTooLong) {
      this.#parts = [];
    } else {
      this.#parts.push(Uint8Array.from(bytes));
    }
  }

  /** Returns the text so far, and starts a new one. */
  take(): string {
    const text = new TextDecoder().decode(Buffer.concat(this.#parts));
    [this.#parts, this.#length] = [[], 0];
    return text;
  }
}
