/** A text of each reply of a block, its agent or its site: mostly the one of the reply before. */
import { elementByte, type MessageReader } from "../../../net/wire/message-reader.ts";
import { TextColumn } from "./text-column.ts";

/** Keeps a byte order mark. */
const strictUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

export class RepeatedTexts {
  readonly column = new TextColumn();
  /** The current text; null = none. */
  #bytes: Uint8Array | null = null;
  #text = "";
  /** -1 while no row has it. */
  #place = -1;

  /** Makes a text the current one; false when it is not UTF-8. */
  open(bytes: Uint8Array, start: number, end: number): boolean {
    if (this.#bytes !== null && isEqual(this.#bytes, bytes, start, end)) {
      return true;
    }
    // A copy, because shared memory cannot be decoded in place.
    const text = bytes.slice(start, end);
    try {
      this.#text = strictUtf8.decode(text);
    } catch {
      return false;
    }
    this.#bytes = text;
    this.#place = -1;
    return true;
  }

  /**
   * Makes the text behind a pointer of the root struct the current one; the reader fails as `readText` of
   * lib/net/wire/byte-lists.ts does.
   */
  read(reader: MessageReader, pointer: number, bytesMax: number): void {
    reader.openList(pointer);
    const { bytes, listAt, listCount, listElement } = reader;
    if (listElement !== elementByte) {
      reader.fail("listElement");
      return;
    }
    // An absent text has no NUL.
    const [start, end] = listCount === 0 ? [0, 0] : [listAt, listAt + listCount - 1];
    const isEnded = listCount === 0 || (listCount <= bytesMax + 1 && bytes[end] === 0);
    if (!isEnded || !this.open(bytes, start, end)) {
      reader.fail("text");
    }
  }

  /** Writes the current text to a row. */
  add(row: number): void {
    if (this.#place < 0) {
      this.#place = this.column.placeOf(this.#text);
    }
    this.column.places.u32[row] = this.#place;
  }

  clear(): void {
    this.#bytes = null;
    this.column.clear();
  }
}

function isEqual(one: Uint8Array, bytes: Uint8Array, start: number, end: number): boolean {
  let isSame = one.length === end - start;
  for (let i = 0; isSame && i < one.length; i++) {
    isSame = one[i] === bytes[start + i];
  }
  return isSame;
}
