/** The real-time clock in nanoseconds, and a sleep finer than a timer's: clock_gettime(2) and clock_nanosleep(2). */
import { libc } from "./libc.ts";
import { clockMonotonic, clockRealtime } from "./linux-abi.ts";

/**
 * Reads clocks without allocating; use one per thread, as the buffer is reused.
 *
 * The time is CLOCK_REALTIME because libpcap stamps packets with it.
 */
export class Clock {
  readonly #timespec = new BigInt64Array(2);
  /** The same 16 bytes: seconds in words 0–1, nanoseconds in word 2. */
  readonly #words = new Uint32Array(this.#timespec.buffer);

  /** Microseconds since the epoch, with fractions: exact to 0.25 µs until the year 2250. */
  realtimeUs(): number {
    return this.#readUs(clockRealtime);
  }

  monotonicUs(): number {
    return this.#readUs(clockMonotonic);
  }

  #readUs(clock: number): number {
    libc().clock_gettime(clock, this.#timespec);
    const words = this.#words;
    return ((words[1] ?? 0) * 2 ** 32 + (words[0] ?? 0)) * 1e6 + (words[2] ?? 0) / 1000;
  }

  /** Blocks this thread. Wakes early only when a signal arrives. */
  sleepUs(durationUs: number): void {
    if (durationUs <= 0) {
      return;
    }
    this.#timespec[0] = BigInt(Math.floor(durationUs / 1e6));
    this.#timespec[1] = BigInt(Math.round((durationUs % 1e6) * 1000));
    libc().clock_nanosleep(clockMonotonic, 0, this.#timespec, null);
  }
}
