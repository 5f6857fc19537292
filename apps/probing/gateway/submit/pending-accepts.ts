/** Submissions whose acceptance is unknown, because the database became unreachable during the statement. */
import { pendingAcceptSettleMs } from "../limits.ts";

interface PendingAccept {
  readonly measurementId: string;
  readonly probes: number;
  readonly sinceMs: number;
}

export class PendingAccepts {
  readonly #open = new Map<string, PendingAccept>();

  add(measurementId: string, probes: number): void {
    this.#open.set(measurementId, { measurementId, probes, sinceMs: performance.now() });
  }

  /** Entries old enough that their statement can no longer be running. */
  settled(): PendingAccept[] {
    const untilMs = performance.now() - pendingAcceptSettleMs;
    return [...this.#open.values()].filter(({ sinceMs }) => sinceMs <= untilMs);
  }

  resolve(measurementId: string): void {
    this.#open.delete(measurementId);
  }
}
