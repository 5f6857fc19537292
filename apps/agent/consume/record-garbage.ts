/**
 * Collects what is left of records by how many bytes of them were read.
 *
 * A value lies outside the heap, so the collector lets a hundred megabytes of them pass before it begins by itself.
 */
import { fullGC } from "bun:jsc";
import { garbageBytesMax } from "../limits.ts";

export class RecordGarbage {
  #bytes = 0;

  /** A value of so many bytes was read; what was read long before it is of no more use by now. */
  add(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes >= garbageBytesMax) {
      this.#bytes = 0;
      fullGC();
    }
  }
}
