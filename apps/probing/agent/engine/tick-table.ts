/**
 * What a sender did in each tick of the last wrap (6.55 s): which measurement it was sending, and when within the tick
 * its batch left. So a reply, which returns its send tick, is attributed and timed exactly, with no state per probe. A
 * sender never changes measurement inside a tick. Batches that share one left at different times: then none is given.
 *
 * Shared memory: an entry for each time code, 0 wrap i32 (0 = being written) | 4 measurement u32; then, for each time
 * code, the departure u32: nanoseconds within the tick plus 1, 0 = unknown. Files of earlier versions end before them.
 */
import { ticksPerWrap, tickUs, wireTimeCode, wrapOf } from "../../../../lib/net/packet/time-code.ts";
import { type MemoryMaker, plainMemory } from "./shared-memory.ts";

const entryWords = 2;
const entryCount = ticksPerWrap + 1;
const departuresAt = entryCount * entryWords;
const nsPerUs = 1000;

export class TickTable {
  readonly buffer: SharedArrayBuffer;
  readonly #words: Int32Array;

  constructor(buffer: SharedArrayBuffer) {
    this.buffer = buffer;
    this.#words = new Int32Array(buffer);
  }

  static allocate(name = "", memory: MemoryMaker = plainMemory): TickTable {
    return new TickTable(memory(name, entryCount * (entryWords + 1) * 4));
  }

  /** A first batch of this tick leaves at `nowUs`, a time within it. */
  set(tick: number, measurement: number, nowUs: number): void {
    const code = wireTimeCode(tick);
    const at = code * entryWords;
    Atomics.store(this.#words, at, 0);
    Atomics.store(this.#words, at + 1, measurement);
    Atomics.store(this.#words, departuresAt + code, 1 + Math.floor((nowUs - tick * tickUs) * nsPerUs));
    Atomics.store(this.#words, at, wrapOf(tick));
  }

  /** Another batch of this tick leaves, at another time. */
  setShared(tick: number): void {
    Atomics.store(this.#words, departuresAt + wireTimeCode(tick), 0);
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

  /** Nanoseconds from the start of a tick to the departure of its only batch; -1 when that is not known. */
  departureNs(tick: number): number {
    const code = wireTimeCode(tick);
    const departure = Atomics.load(this.#words, departuresAt + code) - 1;
    return Atomics.load(this.#words, code * entryWords) === wrapOf(tick) ? departure : -1;
  }
}
