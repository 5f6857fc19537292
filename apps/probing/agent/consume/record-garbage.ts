/**
 * Triggers the garbage collector after a number of bytes of records.
 *
 * Values lie outside the heap, so the collector would start only after a hundred megabytes of them.
 */
import { fullGC } from "bun:jsc";
import { garbageBytesMax } from "../limits.ts";

export class RecordGarbage {
  #bytes = 0;

  /** Counts a value that was read; values read long before it are garbage by now. */
  add(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes >= garbageBytesMax) {
      this.#bytes = 0;
      fullGC();
    }
  }
}
