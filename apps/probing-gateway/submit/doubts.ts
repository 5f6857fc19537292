/** Submissions whose acceptance is unknown, because the database went away during the statement. */
import { doubtSettleMs } from "../limits.ts";

interface Doubt {
  readonly measurementId: string;
  readonly probes: number;
  readonly sinceMs: number;
}

export class Doubts {
  readonly #open = new Map<string, Doubt>();

  add(measurementId: string, probes: number): void {
    this.#open.set(measurementId, { measurementId, probes, sinceMs: performance.now() });
  }

  /** Entries old enough that their statement can no longer be running. */
  settled(): Doubt[] {
    const untilMs = performance.now() - doubtSettleMs;
    return [...this.#open.values()].filter(({ sinceMs }) => sinceMs <= untilMs);
  }

  resolve(measurementId: string): void {
    this.#open.delete(measurementId);
  }
}
