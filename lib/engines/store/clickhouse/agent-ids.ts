/** The ids of the agents that captured the replies of a block. Replies of one agent come one after another. */
import { TextColumn } from "./text-column.ts";

/** Keeps a byte order mark. */
const strictUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

export class AgentIds {
  readonly column = new TextColumn();
  /** The current id; null = none. */
  #bytes: Uint8Array | null = null;
  #text = "";
  /** -1 while no row has it. */
  #place = -1;

  /** Makes an id the current one; false when it is not UTF-8. */
  open(bytes: Uint8Array, start: number, end: number): boolean {
    if (this.#bytes !== null && isEqual(this.#bytes, bytes, start, end)) {
      return true;
    }
    // A copy, because shared memory cannot be decoded in place.
    const id = bytes.slice(start, end);
    try {
      this.#text = strictUtf8.decode(id);
    } catch {
      return false;
    }
    this.#bytes = id;
    this.#place = -1;
    return true;
  }

  /** Writes the current id to a row. */
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
