/** The memory that requests hold, as they declare it: by request, and in total. */
import { allWorkBytesMax } from "./limits.ts";

export class WorkRoom {
  readonly #bytesMax: number;
  #bytes = 0;

  constructor(bytesMax = allWorkBytesMax) {
    this.#bytesMax = bytesMax;
  }

  /** Bytes that are held now. */
  get bytes(): number {
    return this.#bytes;
  }

  /** False = there is no room, and nothing is taken. */
  take(bytes: number): boolean {
    const hasRoom = this.#bytes + bytes <= this.#bytesMax;
    this.#bytes += hasRoom ? bytes : 0;
    return hasRoom;
  }

  release(bytes: number): void {
    this.#bytes -= bytes;
  }
}
