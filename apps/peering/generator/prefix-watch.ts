/** Holds back prefixes that change too often, over restarts too, and says so. */
import type { ChangeBudget } from "../../../lib/base/api/change-budget.ts";
import type { Logger } from "../../../lib/engines/observe/log.ts";
import type { Policy } from "../../../lib/peering/policy/policy.ts";
import type { GeneratorMetrics } from "./metrics.ts";
import type { PersistentFile } from "./persistent-file.ts";
import { type HeldPrefixes, PrefixBudget, type PrefixRules, type UsersRoute } from "./prefix-budget.ts";

interface PrefixWatchParts {
  readonly rules: PrefixRules;
  readonly nowMs: () => number;
  readonly file: PersistentFile;
  readonly log: Logger;
  readonly metrics: GeneratorMetrics;
}

export class PrefixWatch {
  readonly #parts: PrefixWatchParts;
  readonly #budget: PrefixBudget;

  constructor(parts: PrefixWatchParts) {
    this.#parts = parts;
    this.#budget = new PrefixBudget(parts.rules);
  }

  /** Loads what the last run held back. */
  async load(): Promise<void> {
    this.#budget.restore(await this.#parts.file.read());
  }

  held(nowMs: number): HeldPrefixes {
    return this.#budget.held(nowMs);
  }

  /** How often the prefix may change from now on; null = as often as it likes. */
  changes(userHash: string, prefix: string, nowMs: number): ChangeBudget | null {
    return this.#budget.changes(userHash, prefix, nowMs);
  }

  /** Takes the routes of users to whole leases. Returns whether a prefix has to be held back now. */
  async look(routes: readonly UsersRoute[], { users }: Policy, daemonStartedAt: string): Promise<boolean> {
    const { nowMs, log, metrics } = this.#parts;
    const allowed = users.flatMap(({ userHash, prefixes }) =>
      prefixes.map((prefix) => ({ userHash, prefix })),
    );
    const over = this.#budget.observe(routes, { allowed, nowMs: nowMs(), daemonStartedAt });
    for (const { userHash, prefix } of over) {
      metrics.holdBack();
      log.warn("Holds back a prefix that changes too often", { user_hash: userHash, prefix });
    }
    await this.#keep();
    return over.length > 0;
  }

  async #keep(): Promise<void> {
    const { file, nowMs, metrics, log } = this.#parts;
    try {
      await file.writeNew(this.#budget.text(nowMs()));
    } catch (error) {
      metrics.failure("state");
      log.error("Cannot store which prefixes are held back; a restart would forget them", { error });
    }
  }
}
