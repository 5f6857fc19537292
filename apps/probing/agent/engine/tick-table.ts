/**
 * The measurement that a sender was sending in each tick of the last wrap (6.55 s): so a reply, which returns its send
 * tick, is attributed exactly, with no state per probe. A sender never changes measurement inside a tick.
 *
 * Shared memory, one entry for each time code: 0 wrap i32 (0 = being written) | 4 measurement u32.
 */
import { ticksPerWrap, wireTimeCode, wrapOf } from "../../../../lib/net/packet/time-code.ts";
import { type MemoryMaker, plainMemory } from "./shared-memory.ts";

const entryWords = 2;
const entryCount = ticksPerWrap + 1;

export class TickTable {
  readonly buffer: SharedArrayBuffer;
  readonly #words: Int32Array;

  constructor(buffer: SharedArrayBuffer) {
    this.buffer = buffer;
    this.#words = new Int32Array(buffer);
  }

  static allocate(name = "", memory: MemoryMaker = plainMemory): TickTable {
    return new TickTable(memory(name, entryCount * entryWords * 4));
  }

  set(tick: number, measurement: number): void {
    const at = wireTimeCode(tick) * entryWords;
    Atomics.store(this.#words, at, 0);
    Atomics.store(this.#words, at + 1, measurement);
    Atomics.store(this.#words, at, wrapOf(tick));
  }

  /** The measurement of a tick, or -1 when it is no longer known. */
  get(tick: number): number {
    const at = wireTimeCode(tick) * entryWords;
    const wrap = wrapOf(tick);
    if (Atomics.load(this.#words, at) !== wrap) {
      return -1;
    }
    const measurement = Atomics.load(this.#words, at + 1) >>> 0;
    return Atomics.load(this.#words, at) === wrap ? measurement : -1;
  }
}
