/**
 * Settings of one instance that an operator can change at run time, in shared memory: the owner of the engine writes
 * them, the sender and the writer of its ring read them.
 *
 *     0 rate in probes/s i32 | 4 paused i32, 0 = no
 */

const rate = 0;
const paused = 1;

export class InstanceControl {
  readonly buffer: SharedArrayBuffer;
  readonly #words: Int32Array;

  /** Wraps a buffer that `InstanceControl.allocate` made, here or in another thread. */
  constructor(buffer: SharedArrayBuffer) {
    this.buffer = buffer;
    this.#words = new Int32Array(buffer);
  }

  static allocate(rateProbesPerSec: number): InstanceControl {
    const control = new InstanceControl(new SharedArrayBuffer(8));
    control.setRate(rateProbesPerSec);
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
}
