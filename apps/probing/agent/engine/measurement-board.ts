/**
 * State of measurements that the agent's threads share, by number, in shared memory.
 *
 *     0 number i32 (0 = free) | 4 stopped i32 | 8 sent i32 | 12 failed i32 | 16 replied i32
 *
 * Senders count packets, the producer replies; the consumer collects and resets the counts, well before they could
 * overflow, and marks measurements whose probes in the rings must not be sent. Number 0 means "no measurement" and has
 * no entry.
 */
import { keptNames, type MemoryMaker, plainMemory } from "./shared-memory.ts";

const entryWords = 5;
const owner = 0;
const stopped = 1;
const counts = { sent: 2, failed: 3, replied: 4 } as const;

type MeasurementCount = keyof typeof counts;
export type MeasurementCounts = Readonly<Record<MeasurementCount, number>>;

export class MeasurementBoard {
  readonly buffer: SharedArrayBuffer;
  readonly #words: Int32Array;
  readonly #entries: number;

  /** Wraps a buffer that `MeasurementBoard.allocate` made, here or in another thread. */
  constructor(buffer: SharedArrayBuffer) {
    this.buffer = buffer;
    this.#words = new Int32Array(buffer);
    this.#entries = Math.floor(this.#words.length / entryWords);
  }

  static allocate(entries: number, memory: MemoryMaker = plainMemory): MeasurementBoard {
    // Without room for any, one entry that stays free marks that.
    return new MeasurementBoard(memory(keptNames.board, Math.max(1, entries) * entryWords * 4));
  }

  /** Assigns the entry to this measurement; take the counts of the previous one first. */
  open(number: number): void {
    const at = this.#at(number);
    this.#words.fill(0, at, at + entryWords);
    Atomics.store(this.#words, at + owner, number);
  }

  /** Its probes in the rings are removed unsent. */
  stop(number: number): void {
    if (this.#holds(number)) {
      Atomics.store(this.#words, this.#at(number) + stopped, 1);
    }
  }

  isStopped(number: number): boolean {
    return this.#holds(number) && Atomics.load(this.#words, this.#at(number) + stopped) !== 0;
  }

  /** Does nothing for a measurement that is not on the board, or no longer. */
  add(number: number, name: MeasurementCount, count: number): void {
    if (this.#holds(number)) {
      Atomics.add(this.#words, this.#at(number) + counts[name], count);
    }
  }

  /** The counts since the last call. */
  take(number: number): MeasurementCounts {
    const take = (name: MeasurementCount) =>
      this.#holds(number) ? Atomics.exchange(this.#words, this.#at(number) + counts[name], 0) : 0;
    return { sent: take("sent"), failed: take("failed"), replied: take("replied") };
  }

  #holds(number: number): boolean {
    return number > 0 && Atomics.load(this.#words, this.#at(number) + owner) === number;
  }

  #at(number: number): number {
    return (number % this.#entries) * entryWords;
  }
}
