/**
 * How often an agent may report another configuration than before. Each such report is in the audit, from which nothing
 * is deleted: else an agent that reports two in turns would fill the database.
 *
 * Kept in the memory of this gateway, by the time at which all changes will have been made up for: n gateways take n
 * times as many.
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
