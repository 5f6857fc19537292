/** Looks at users' sessions, keeps what was last seen, and holds each user to the announcement budget. */
import type { Session } from "../../lib/bird/sessions.ts";
import type { Logger } from "../../lib/observe/log.ts";
import { AnnouncementBudget, type BudgetRules, type SessionCount } from "./announcement-budget.ts";
import type { Peers } from "./daemon/peers.ts";
import type { Knowledge } from "./knowledge.ts";
import type { GeneratorMetrics } from "./metrics.ts";

export interface SessionWatchParts {
  readonly peers: Peers;
  readonly knowledge: Knowledge;
  readonly budget: BudgetRules;
  readonly nowMs: () => number;
  readonly log: Logger;
  readonly metrics: GeneratorMetrics;
}

export class SessionWatch {
  readonly #parts: SessionWatchParts;
  readonly #budget: AnnouncementBudget;
  /** As last seen; null while the daemon does not answer. */
  sessions: readonly Session[] | null = null;

  constructor(parts: SessionWatchParts) {
    this.#parts = parts;
    this.#budget = new AnnouncementBudget(parts.budget);
  }

  suspended(nowMs: number): ReadonlyMap<string, number> {
    return this.#budget.suspended(nowMs);
  }

  /** Looks, and counts. Returns whether somebody has to be suspended now. */
  async look(): Promise<boolean> {
    const { log, metrics, nowMs } = this.#parts;
    const sessions = await this.#ask();
    const over = sessions === null ? [] : this.#budget.observe(this.#countsOf(sessions), nowMs());
    for (const userHash of over) {
      metrics.suspension();
      log.warn("Suspends a user who announces too often", { user_hash: userHash });
    }
    return over.length > 0;
  }

  /** Takes the daemon's counts as they are now. */
  async rebase(): Promise<void> {
    const sessions = await this.#ask();
    if (sessions !== null) {
      this.#budget.rebase(this.#countsOf(sessions));
    }
  }

  async #ask(): Promise<readonly Session[] | null> {
    const { peers, log, metrics } = this.#parts;
    try {
      this.sessions = await peers.sessions();
    } catch (error) {
      if (this.sessions !== null) {
        log.error("Cannot look at the daemon's sessions", { error });
      }
      metrics.failure("daemon");
      this.sessions = null;
    }
    return this.sessions;
  }

  #countsOf(sessions: readonly Session[]): SessionCount[] {
    const members = this.#parts.knowledge.membership()?.members ?? [];
    const owners = new Map(
      members.flatMap((member) => member.addresses.map(({ v4 }) => [v4, member] as const)),
    );
    return sessions.flatMap(({ name, since, neighborAddress, acceptedUpdates }) => {
      const owner = owners.get(neighborAddress);
      const session = `${name} ${since}`;
      return owner === undefined
        ? []
        : [{ userHash: owner.userHash, session, updates: acceptedUpdates, leases: owner.leases.length }];
    });
  }
}
