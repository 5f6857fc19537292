/**
 * Assigns the replies of a ring to batches with numbered records: written before the batch is published.
 *
 * A batch stays in the ring until the broker or the spool has it. When this process is killed, the next one makes the
 * same batches of the remaining replies, under the same numbers, so that nothing is lost and the store takes each
 * once.
 *
 *     0 noted i32 | 4 released i32 | 8 next number f64 | 16 … entries, used in turn
 *
 * An entry is a position in the ring f64, and a number f64: NotedBatch.
 */
import type { ByteRing } from "../engine/byte-ring.ts";
import { waitingBatchesMax } from "../limits.ts";

const headerBytes = 16;
const entryBytes = 16;
/** Batches that wait for the broker, and some being published. */
const entriesMax = 4 * waitingBatchesMax;

export interface NotedBatch {
  /** Position in the ring after its last reply: ByteRing.distanceTo. */
  readonly end: number;
  /** Number of its first record. */
  readonly firstNumber: number;
}

export class BatchLedger {
  static readonly bytes = headerBytes + entriesMax * entryBytes;
  readonly #counts: Int32Array;
  readonly #numbers: Float64Array;

  constructor(buffer: SharedArrayBuffer) {
    this.#counts = new Int32Array(buffer, 0, 2);
    this.#numbers = new Float64Array(buffer, 8, 1 + 2 * entriesMax);
  }

  /** Number of the next record, from 1. */
  get nextNumber(): number {
    return Math.max(1, this.#numbers[0] ?? 0);
  }

  get hasRoom(): boolean {
    return this.#noted - this.#released < entriesMax;
  }

  note({ end, firstNumber }: NotedBatch, nextNumber: number): void {
    const at = this.#entryOf(this.#noted);
    this.#numbers[at] = end;
    this.#numbers[at + 1] = firstNumber;
    this.#numbers[0] = nextNumber;
    Atomics.store(this.#counts, 0, this.#noted + 1);
  }

  /** Call it after the oldest batch has been removed from the ring. */
  release(): void {
    Atomics.store(this.#counts, 1, this.#released + 1);
  }

  /** Batches with replies still in the ring, oldest first. */
  open(ring: ByteRing): NotedBatch[] {
    const batches: NotedBatch[] = [];
    for (let i = this.#released; i < this.#noted; i++) {
      const at = this.#entryOf(i);
      batches.push({ end: this.#numbers[at] ?? 0, firstNumber: this.#numbers[at + 1] ?? 1 });
    }
    return batches.filter(({ end }) => ring.distanceTo(end) > 0);
  }

  get #noted(): number {
    return Atomics.load(this.#counts, 0);
  }

  get #released(): number {
    return Atomics.load(this.#counts, 1);
  }

  #entryOf(index: number): number {
    return 1 + 2 * (index % entriesMax);
  }
}
