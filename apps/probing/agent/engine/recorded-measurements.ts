/**
 * Measurements whose packets are copied, by number, in shared memory: one thread writes, senders and receivers read
 * once for each batch.
 *
 *     0 count i32 | 4 … numbers i32, each plus 2 (0 = free)
 */

const offset = 2;

/** Measurements that are recorded at a time: each has a file, and each batch sent searches them. */
export const recordedAtATime = 64;

/** In place of a measurement's number, for replies whose tag does not prove it. */
export const unprovenMeasurement = -1;

export class RecordedMeasurements {
  readonly buffer: SharedArrayBuffer;
  readonly #words: Int32Array;

  constructor(buffer = new SharedArrayBuffer((1 + recordedAtATime) * Int32Array.BYTES_PER_ELEMENT)) {
    this.buffer = buffer;
    this.#words = new Int32Array(buffer);
  }

  /** The only check of the hot path while nothing is recorded. */
  get any(): boolean {
    return Atomics.load(this.#words, 0) > 0;
  }

  has(measurement: number): boolean {
    return this.#words.indexOf(measurement + offset, 1) > 0;
  }

  /** From its next packet on; false when too many are recorded already. */
  add(measurement: number): boolean {
    const free = this.#words.indexOf(0, 1);
    if (free < 0) {
      return false;
    }
    Atomics.store(this.#words, free, measurement + offset);
    Atomics.add(this.#words, 0, 1);
    return true;
  }

  remove(measurement: number): void {
    const at = this.#words.indexOf(measurement + offset, 1);
    if (at > 0) {
      Atomics.store(this.#words, at, 0);
      Atomics.sub(this.#words, 0, 1);
    }
  }
}
