/**
 * How many packets came in which time, from looks at a counter.
 *
 * The clock starts at the first look that saw a packet, and what that look saw is not counted: when it came is not
 * known. Looks at 0, 2, 4 and 6 ms that see 0, 100, 250 and 400 packets: 300 packets in 4 ms. When one look saw all,
 * the time is that since the look before, so that the rate is too low rather than none.
 */

interface Arrivals {
  readonly packets: number;
  /** Those that came within `elapsedMs`. */
  readonly timed: number;
  readonly elapsedMs: number;
}

export class ArrivalClock {
  #packets = 0;
  #atFirst = 0;
  #emptyAtMs: number;
  #firstAtMs: number;
  #lastAtMs: number;

  /** `nowMs` = before any packet. */
  constructor(nowMs: number) {
    this.#emptyAtMs = nowMs;
    this.#firstAtMs = nowMs;
    this.#lastAtMs = nowMs;
  }

  get packets(): number {
    return this.#packets;
  }

  /** Time of the last look that saw a new one; of the start, before the first. */
  get lastAtMs(): number {
    return this.#lastAtMs;
  }

  /** `packets` = all that have come by then. */
  look(packets: number, nowMs: number): void {
    if (packets === 0) {
      this.#emptyAtMs = nowMs;
    } else if (packets > this.#packets) {
      if (this.#packets === 0) {
        this.#firstAtMs = nowMs;
        this.#atFirst = packets;
      }
      this.#packets = packets;
      this.#lastAtMs = nowMs;
    }
  }

  arrivals(): Arrivals {
    const packets = this.#packets;
    return packets === this.#atFirst
      ? { packets, timed: packets, elapsedMs: this.#lastAtMs - this.#emptyAtMs }
      : { packets, timed: packets - this.#atFirst, elapsedMs: this.#lastAtMs - this.#firstAtMs };
  }
}
