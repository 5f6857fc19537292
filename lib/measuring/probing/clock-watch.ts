/** Counts steps of the realtime clock: RTTs of probes in flight at a step are wrong. */

/** A realtime clock that moved against the monotonic one by more than this between two samples was stepped. */
const clockStepMs = 50;

export class ClockWatch {
  steps = 0;
  #offsetMs: number | null = null;

  /** Both clocks, in milliseconds, read together. */
  look(realtimeMs: number, monotonicMs: number): void {
    const offsetMs = realtimeMs - monotonicMs;
    if (this.#offsetMs !== null && Math.abs(offsetMs - this.#offsetMs) > clockStepMs) {
      this.steps++;
    }
    this.#offsetMs = offsetMs;
  }
}
