/** What takes a file apart into texts, and holds the bytes of one that arrives in chunks. */
import type { PassedOver } from "../../../../lib/base/list/passed-over.ts";

export interface TextLimits {
  readonly bytesMax: number;
  readonly note: PassedOver["note"];
}

export interface PlacedText {
  readonly text: string;
  readonly place: string;
}

/** Takes a file apart, whatever chunks it arrives in. Texts have at most `bytesMax` bytes. */
export interface TextCutter {
  push(chunk: Uint8Array): Iterable<PlacedText>;
  end(): Iterable<PlacedText>;
  /** Whether there was anything: an array without results is an empty list. */
  readonly isEmptyList: boolean;
}

/** Bytes of one text, up to a limit: of a longer one only the length is kept. */
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

  /** The text so far, and begins a new one. */
  take(): string {
    const text = new TextDecoder().decode(Buffer.concat(this.#parts));
    [this.#parts, this.#length] = [[], 0];
    return text;
  }
}
