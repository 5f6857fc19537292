/**
 * Reasons that inhibit sending, in shared memory: one Int32 for each reason, 0 = no; behind them one for each reason
 * that has an owner, 0 = none yet.
 *
 * Senders check it before each batch, so it acts within one batch and one sleep (10 ms). Each reason has one owner
 * among all threads, which alone sets it: two writers would undo each other's newer value.
 */

/**
 * `killSwitch`: this host's; `killed`: the platform's; `paused`: the operator paused this agent; `host`: its host has
 * paused it, or a limit of the host holds it (apps/probing/agent/host).
 */
const reasons = ["killSwitch", "spoolFull", "killed", "paused", "host"] as const;
type InhibitReason = (typeof reasons)[number];

/** The owner's setter. */
export interface InhibitSwitch<Owned extends InhibitReason> {
  set(reason: Owned, holds: boolean): void;
}

export class SendInhibit {
  readonly buffer: SharedArrayBuffer;
  readonly #words: Int32Array;

  constructor(buffer: SharedArrayBuffer) {
    this.buffer = buffer;
    this.#words = new Int32Array(buffer);
  }

  static allocate(): SendInhibit {
    return new SendInhibit(new SharedArrayBuffer(2 * reasons.length * 4));
  }

  /** Makes the caller the owner of these reasons. Throws Error when one of them has an owner in any thread. */
  own<const Owned extends InhibitReason>(...owned: readonly Owned[]): InhibitSwitch<Owned> {
    for (const reason of owned) {
      if (Atomics.exchange(this.#words, reasons.length + reasons.indexOf(reason), 1) !== 0) {
        throw new Error(`Cannot own the reason ${reason} not to send: it is set already`);
      }
    }
    return {
      set: (reason, holds) => {
        Atomics.store(this.#words, reasons.indexOf(reason), holds ? 1 : 0);
      },
    };
  }

  has(reason: InhibitReason): boolean {
    return Atomics.load(this.#words, reasons.indexOf(reason)) !== 0;
  }

  any(): boolean {
    return reasons.some((reason) => this.has(reason));
  }
}
