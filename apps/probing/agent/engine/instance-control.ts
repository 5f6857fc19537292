/**
 * Settings of one instance that change at run time, in shared memory: the owner of the engine writes them, the sender
 * and the writer of its ring read them.
 *
 *     0 rate in probes/s i32 | 4 paused i32, 0 = no | 8 packets max f64 | 16 bytes max f64
 *
 * The maxima count from the sender's start: with them it stays within what its host allows a day, whatever its rate.
 */

const rate = 0;
const paused = 1;
const packets = 1;
const bytes = 2;

/** Totals of a sender; infinite = without limit. */
interface SentMax {
  readonly packets: number;
  readonly bytes: number;
}

export class InstanceControl {
  readonly buffer: SharedArrayBuffer;
  readonly #words: Int32Array;
  readonly #totals: Float64Array;

  /** Wraps a buffer that `InstanceControl.allocate` made, here or in another thread. */
  constructor(buffer: SharedArrayBuffer) {
    this.buffer = buffer;
    this.#words = new Int32Array(buffer);
    this.#totals = new Float64Array(buffer);
  }

  static allocate(rateProbesPerSec: number): InstanceControl {
    const control = new InstanceControl(new SharedArrayBuffer(24));
    control.setRate(rateProbesPerSec);
    control.setSentMax({ packets: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY });
    return control;
  }

  get rateProbesPerSec(): number {
    return Atomics.load(this.#words, rate);
  }

  /** At least 1: an instance that must not send is paused. Fractions are cut off. */
  setRate(rateProbesPerSec: number): void {
    Atomics.store(this.#words, rate, Math.max(1, rateProbesPerSec));
  }

  get isPaused(): boolean {
    return Atomics.load(this.#words, paused) !== 0;
  }

  setPaused(isPaused: boolean): void {
    Atomics.store(this.#words, paused, isPaused ? 1 : 0);
  }

  get packetsMax(): number {
    return this.#totals[packets] ?? 0;
  }

  get bytesMax(): number {
    return this.#totals[bytes] ?? 0;
  }

  setSentMax(max: SentMax): void {
    this.#totals[packets] = max.packets;
    this.#totals[bytes] = max.bytes;
  }
}
