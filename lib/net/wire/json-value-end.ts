/**
 * Finds the end of a JSON value in chunks of bytes, and nothing else: the parser decides whether it is valid JSON.
 *
 * An object or array ends where all its brackets outside of strings are closed; a string at the first
 * unescaped quote; a number or a word before the first byte that cannot be part of it.
 */
import { backslash, comma, isBlank, isCloser, isOpener, quote } from "./json-bytes.ts";

export class JsonValueEnd {
  #depth = 0;
  #isText = false;
  #isEscaped = false;
  #isScalar = false;

  /** Starts a value with its first byte. */
  start(byte: number): void {
    this.#isEscaped = false;
    this.#isText = byte === quote;
    this.#depth = isOpener(byte) ? 1 : 0;
    this.#isScalar = !this.#isText && this.#depth === 0;
  }

  /** Where the value ends, exclusive, searching from `from`; -1 when it does not end in this chunk. */
  in(chunk: Uint8Array, from: number): number {
    for (let at = from; at < chunk.length; at++) {
      const byte = chunk[at] ?? 0;
      if (this.#isScalar) {
        if (byte === comma || isCloser(byte) || isBlank(byte)) {
          return at;
        }
      } else if (this.#isText ? this.#endsText(byte) : this.#closes(byte)) {
        return at + 1;
      }
    }
    return -1;
  }

  /** Whether the value is a string that ends with this byte. */
  #endsText(byte: number): boolean {
    if (this.#isEscaped) {
      this.#isEscaped = false;
    } else if (byte === backslash) {
      this.#isEscaped = true;
    } else if (byte === quote) {
      this.#isText = false;
      return this.#depth === 0;
    }
    return false;
  }

  /** Whether the value is an object or array that ends with this byte. */
  #closes(byte: number): boolean {
    if (byte === quote) {
      this.#isText = true;
    } else if (isOpener(byte)) {
      this.#depth++;
    } else if (isCloser(byte)) {
      this.#depth--;
      return this.#depth === 0;
    }
    return false;
  }
}
