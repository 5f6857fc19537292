/** Submissions of which only the database knows whether they were accepted: it went away while they were. */
import { doubtSettleMs } from "../limits.ts";

export interface Doubt {
  readonly measurementId: string;
  readonly probes: number;
  readonly sinceMs: number;
}

export class Doubts {
  readonly #open = new Map<string, Doubt>();

  add(measurementId: string, probes: number): void {
    this.#open.set(measurementId, { measurementId, probes, sinceMs: performance.now() });
  }

  /** Those old enough that no statement of theirs can still be under way. */
  settled(): Doubt[] {
    const untilMs = performance.now() - doubtSettleMs;
    return [...this.#open.values()].filter(({ sinceMs }) => sinceMs <= untilMs);
  }

  resolve(measurementId: string): void {
    this.#open.delete(measurementId);
  }
}
