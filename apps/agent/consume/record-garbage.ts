/**
 * Triggers the collector after a number of bytes of records.
 *
 * A value lies outside the heap, so the collector lets a hundred megabytes of them pass before it begins by itself.
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
