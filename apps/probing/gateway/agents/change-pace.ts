/**
 * Limits how often an agent may report a changed configuration. Each change is recorded in the audit log, from which
 * nothing is deleted: an agent alternating between two configurations would fill the database.
 *
 * Kept in this gateway's memory, as the time at which the allowance is full again: n gateways accept n times as many.
 */
import { configChangeMs, configChangesMax } from "../limits.ts";

export class ChangePace {
  readonly #freeAtMs = new Map<string, number>();

  /** Counts a change. Returns the seconds to wait when there were too many; 0 = accepted. */
  take(agentId: string, nowMs: number): number {
    const freeAtMs = Math.max(nowMs, this.#freeAtMs.get(agentId) ?? 0) + configChangeMs;
    const waitMs = freeAtMs - nowMs - configChangesMax * configChangeMs;
    if (waitMs > 0) {
      return Math.ceil(waitMs / 1000);
    }
    this.#freeAtMs.set(agentId, freeAtMs);
    return 0;
  }
}
