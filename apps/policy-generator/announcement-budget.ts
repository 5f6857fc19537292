/**
 * Counts what each user announces, and says who has announced too often: each announcement is an update that the
 * whole Internet has to work through.
 *
 * The daemon counts updates of a session since it came up; a new session counts from nothing. What a session was
 * seen to have at first, and what our own reconfiguring made, is not held against anybody. Pure.
 */
import { budgetWindowMs } from "./limits.ts";

export interface SessionCount {
  readonly userHash: string;
  /** Changes when the session comes up anew. */
  readonly session: string;
  readonly updates: number;
  /** Of the user. */
  readonly leases: number;
}

export interface BudgetRules {
  /** In an hour, for each lease. */
  readonly announcements: number;
  readonly suspensionMs: number;
}

interface Ledger {
  readonly events: { readonly atMs: number; readonly count: number }[];
  suspendedUntilMs: number;
}

export class AnnouncementBudget {
  readonly #rules: BudgetRules;
  readonly #users = new Map<string, Ledger>();
  #known = new Map<string, number>();
  #isFirst = true;

  constructor(rules: BudgetRules) {
    this.#rules = rules;
  }

  /** Takes the counts of all sessions. Returns the users who are over their budget from now on. */
  observe(counts: readonly SessionCount[], nowMs: number): string[] {
    const isFirst = this.#isFirst;
    const over = counts.filter((count) => {
      const before = this.#known.get(count.session) ?? (isFirst ? count.updates : 0);
      return this.#add(count, Math.max(0, count.updates - before), nowMs);
    });
    this.rebase(counts);
    return [...new Set(over.map(({ userHash }) => userHash))];
  }

  /** Takes the counts as they are, without holding what is new against anybody. */
  rebase(counts: readonly SessionCount[]): void {
    this.#isFirst = false;
    this.#known = new Map(counts.map(({ session, updates }) => [session, updates]));
  }

  /** Who is suspended, and until when. */
  suspended(nowMs: number): ReadonlyMap<string, number> {
    const entries = [...this.#users]
      .filter(([, { suspendedUntilMs }]) => suspendedUntilMs > nowMs)
      .map(([userHash, { suspendedUntilMs }]) => [userHash, suspendedUntilMs] as const);
    return new Map(entries);
  }

  #add({ userHash, leases }: SessionCount, count: number, nowMs: number): boolean {
    const ledger = this.#users.get(userHash) ?? { events: [], suspendedUntilMs: 0 };
    while ((ledger.events[0]?.atMs ?? nowMs) <= nowMs - budgetWindowMs) {
      ledger.events.shift();
    }
    if (count > 0) {
      ledger.events.push({ atMs: nowMs, count });
      this.#users.set(userHash, ledger);
    }
    const spent = ledger.events.reduce((sum, event) => sum + event.count, 0);
    if (spent <= this.#rules.announcements * Math.max(1, leases) || ledger.suspendedUntilMs > nowMs) {
      return false;
    }
    ledger.suspendedUntilMs = nowMs + this.#rules.suspensionMs;
    ledger.events.length = 0;
    return true;
  }
}
