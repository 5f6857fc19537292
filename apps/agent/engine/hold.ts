/**
 * Why senders do not send for a while, in shared memory: one Int32 for each reason, 0 = no.
 *
 * Senders look at it before each batch, so it acts within one batch and one sleep (10 ms).
 */

/** `killSwitch`: on this host; `killed`: the platform's; `paused`: the operator wants no probes from here. */
const reasons = ["killSwitch", "spoolFull", "killed", "paused"] as const;
export type HoldReason = (typeof reasons)[number];

export class Hold {
  readonly buffer: SharedArrayBuffer;
  readonly #flags: Int32Array;

  constructor(buffer: SharedArrayBuffer) {
    this.buffer = buffer;
    this.#flags = new Int32Array(buffer);
  }

  static allocate(): Hold {
    return new Hold(new SharedArrayBuffer(reasons.length * 4));
  }

  set(reason: HoldReason, holds: boolean): void {
    Atomics.store(this.#flags, reasons.indexOf(reason), holds ? 1 : 0);
  }

  has(reason: HoldReason): boolean {
    return Atomics.load(this.#flags, reasons.indexOf(reason)) !== 0;
  }

  any(): boolean {
    return reasons.some((_, i) => Atomics.load(this.#flags, i) !== 0);
  }
}
