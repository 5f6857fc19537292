/** Polls users' sessions, keeps the last result, and enforces each user's announcement budget. */
import type { Logger } from "../../../lib/engines/observe/log.ts";
import { elapsedMs } from "../../../lib/peering/bird/elapsed.ts";
import type { BirdSession } from "../../../lib/peering/bird/sessions.ts";
import { countRefusals, type OutsideRefusal } from "../../../lib/peering/policy/outside-refusal.ts";
import type { Suspension } from "../../../lib/peering/policy/policy.ts";
import { AnnouncementBudget, type BudgetRules, type SessionCount } from "./announcement-budget.ts";
import type { Peers, SessionsSeen } from "./daemon/peers.ts";
import type { GeneratorMetrics, RefusedOutside } from "./metrics.ts";
import type { PersistentFile } from "./persistent-file.ts";
import type { SourceCache } from "./source-cache.ts";

interface SessionWatchParts {
  readonly peers: Peers;
  readonly knowledge: SourceCache;
  readonly budget: BudgetRules;
  readonly platformAsn: number;
  readonly nowMs: () => number;
  /** A monotonic clock. */
  readonly steadyMs: () => number;
  /** Stores suspensions over restarts. */
  readonly file: PersistentFile;
  readonly log: Logger;
  readonly metrics: GeneratorMetrics;
}

/** An RPKI cache, and when its last complete answer came; 0 = none has. */
interface SeenCache {
  readonly name: string;
  readonly answeredAtMs: number;
}

export class SessionWatch {
  readonly #parts: SessionWatchParts;
  readonly #budget: AnnouncementBudget;
  /** The last result; null while the daemon does not answer. */
  sessions: readonly BirdSession[] | null = null;
  /** As the daemon writes it; "" before it was asked. */
  daemonStartedAt = "";
  /** As seen then; empty before. */
  caches: readonly SeenCache[] = [];
  refusedOutside: readonly RefusedOutside[] = [];

  constructor(parts: SessionWatchParts) {
    this.#parts = parts;
    this.#budget = new AnnouncementBudget(parts.budget);
  }

  suspended(nowMs: number): ReadonlyMap<string, number> {
    return this.#budget.suspended(nowMs);
  }

  reasons(nowMs: number): ReadonlyMap<string, Suspension> {
    return this.#budget.reasons(nowMs);
  }

  /** Loads the suspensions of the last run. */
  async load(): Promise<void> {
    this.#budget.restore(await this.#parts.file.read());
  }

  /** Returns whether the user was not suspended before. */
  async suspend(userHash: string, reason: Suspension): Promise<boolean> {
    const { metrics, nowMs } = this.#parts;
    const isNew = this.#budget.suspend(userHash, reason, nowMs());
    if (isNew) {
      metrics.suspension();
    }
    await this.#keep();
    return isNew;
  }

  async #keep(): Promise<void> {
    const { file, nowMs, metrics, log } = this.#parts;
    try {
      await file.writeNew(this.#budget.text(nowMs()));
    } catch (error) {
      metrics.failure("state");
      log.error("Cannot store suspensions; a restart would forget them", { error });
    }
  }

  /** Polls and counts. Returns whether a user has to be suspended now. */
  async look(): Promise<boolean> {
    const { log, metrics, nowMs } = this.#parts;
    const seen = await this.#ask();
    const over = seen === null ? [] : this.#budget.observe(this.#countsOf(seen), nowMs());
    for (const userHash of over) {
      metrics.suspension();
      log.warn("Suspends a user who announces too often", { user_hash: userHash });
    }
    await this.#keep();
    return over.length > 0;
  }

  /** Resets the baseline to the daemon's current counts. */
  async rebase(): Promise<void> {
    const seen = await this.#ask();
    if (seen !== null) {
      this.#budget.rebase(this.#countsOf(seen));
    }
  }

  async #ask(): Promise<SessionsSeen | null> {
    const { peers, log, metrics } = this.#parts;
    try {
      const seen = await peers.sessions();
      this.refusedOutside = await this.#refusedOf(seen.outside);
      this.sessions = seen.sessions;
      this.daemonStartedAt = seen.startedAt;
      this.caches = seen.caches.map(({ name, ageSec }) => ({
        name,
        answeredAtMs: ageSec === null ? 0 : this.#parts.nowMs() - 1000 * ageSec,
      }));
      return seen;
    } catch (error) {
      if (this.sessions !== null) {
        log.error("Cannot read the daemon's sessions", { error });
      }
      metrics.failure("daemon");
      this.sessions = null;
    }
    return null;
  }

  async #refusedOf(outside: readonly BirdSession[]): Promise<RefusedOutside[]> {
    const { peers, platformAsn } = this.#parts;
    const refused = await peers.refusedOutside(outside);
    return outside.flatMap(({ name: neighbor, filteredRoutes }): RefusedOutside[] => {
      if (refused === null) {
        return [{ neighbor, reason: "unlisted", routes: filteredRoutes }];
      }
      const counts = Object.entries(countRefusals(refused.get(neighbor) ?? [], platformAsn));
      return counts.map(([reason, routes]) => ({ neighbor, reason: reason as OutsideRefusal, routes }));
    });
  }

  #countsOf({ sessions, clock }: SessionsSeen): SessionCount[] {
    const members = this.#parts.knowledge.membership()?.members ?? [];
    const owners = new Map(
      members.flatMap((member) => member.addresses.map(({ v4 }) => [v4, member] as const)),
    );
    const nowMs = this.#parts.steadyMs();
    return sessions.flatMap(({ name, since, neighborAddress, acceptedUpdates: updates }) => {
      const owner = owners.get(neighborAddress);
      const ageMs = elapsedMs(since, clock);
      const upAtMs = ageMs === null ? null : nowMs - ageMs;
      return owner === undefined
        ? []
        : [{ userHash: owner.userHash, session: name, upAtMs, updates, leases: owner.leases.length }];
    });
  }
}
