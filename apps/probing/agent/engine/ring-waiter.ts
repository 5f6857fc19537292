/**
 * Waits for other threads' rings without blocking the event loop: polling each would wake this thread ten times a
 * second for nothing.
 *
 * Relies on the layout of byte-ring.ts: the position of the writer is the first word, and a write notifies it.
 */
import type { ByteRing } from "./byte-ring.ts";

const written = 0;

export class RingWaiter {
  readonly #positions: readonly Int32Array[];
  readonly #flag: Int32Array;
  readonly #hasSome: () => boolean;

  /**
   * `flag`: a word that also wakes the waiter when it is written and notified. `hasSome`: whether waiting is
   * unnecessary.
   */
  constructor(rings: readonly ByteRing[], flag: Int32Array, hasSome: () => boolean) {
    this.#hasSome = hasSome;
    this.#positions = rings.map(({ buffer }) => new Int32Array(buffer, 0, 1));
    this.#flag = flag;
  }

  /** Waits until a ring has data, or the flag is not `value`; at most `timeoutMs`. */
  async wait(value: number, timeoutMs: number): Promise<void> {
    const words = [...this.#positions.map((word) => [word, Atomics.load(word, written)] as const)];
    if (this.#hasSome()) {
      return;
    }
    const waits = [...words, [this.#flag, value] as const].map(
      ([word, seen]) => Atomics.waitAsync(word, 0, seen, timeoutMs).value,
    );
    await Promise.race(waits);
  }
}
