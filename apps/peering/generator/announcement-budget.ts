/**
 * Counts what each user announces, and says who has announced too often: each announcement is an update that the
 * whole Internet has to work through. Keeps who is suspended, until when and why. Pure.
 *
 * The daemon counts updates of a session since it came up; a new session counts from nothing. What a session was
 * seen to have at first, and what our own reconfiguring made, is not held against users.
 */
import * as v from "valibot";
import type { Suspension } from "../../../lib/peering/policy/policy.ts";
import { budgetWindowMs, sameSessionMsMax } from "./limits.ts";

export interface SessionCount {
  readonly userHash: string;
  /** Start of the session on the daemon's clock. */
  readonly session: string;
  /** When it came up, by a monotonic clock, give or take some milliseconds; null = not known. */
  readonly upAtMs: number | null;
  readonly updates: number;
  /** Prefixes that the user has leased. */
  readonly leases: number;
}

export interface BudgetRules {
  /** In an hour, for each lease. */
  readonly announcements: number;
  readonly suspensionMs: number;
}

const ledgers = v.object({
  version: v.literal(1),
  users: v.array(
    v.object({
      userHash: v.string(),
      events: v.array(v.object({ atMs: v.number(), count: v.number() })),
      suspendedUntilMs: v.number(),
      reason: v.picklist(["suspended", "foreignAttribute"]),
    }),
  ),
});

interface Ledger {
  readonly events: { atMs: number; count: number }[];
  suspendedUntilMs: number;
  reason: Suspension;
}

type Known = Pick<SessionCount, "upAtMs" | "updates">;

export class AnnouncementBudget {
  readonly #rules: BudgetRules;
  readonly #users = new Map<string, Ledger>();
  #known = new Map<string, Known>();
  #isFirst = true;

  constructor(rules: BudgetRules) {
    this.#rules = rules;
  }

  /** Takes the counts of all sessions. Returns the users who are over their budget from now on. */
  observe(counts: readonly SessionCount[], nowMs: number): string[] {
    const isFirst = this.#isFirst;
    const over = counts.filter((count) => {
      const known = this.#known.get(count.session);
      const before =
        known === undefined ? (isFirst ? count.updates : 0) : isSame(known, count) ? known.updates : 0;
      return this.#add(count, count.updates - before, nowMs);
    });
    this.rebase(counts);
    return [...new Set(over.map(({ userHash }) => userHash))];
  }

  /** Takes the counts as they are, without holding new changes against users. */
  rebase(counts: readonly SessionCount[]): void {
    this.#isFirst = false;
    const before = this.#known;
    this.#known = new Map(
      counts.map((count) => {
        const known = before.get(count.session);
        // The first reported time, so that many small steps add up.
        const upAtMs = known !== undefined && isSame(known, count) ? known.upAtMs : count.upAtMs;
        return [count.session, { upAtMs, updates: count.updates }];
      }),
    );
  }

  /** From now on, for the usual time. Returns whether that is new. */
  suspend(userHash: string, reason: Suspension, nowMs: number): boolean {
    const ledger = this.#ledger(userHash);
    const isNew = ledger.suspendedUntilMs <= nowMs;
    ledger.suspendedUntilMs = nowMs + this.#rules.suspensionMs;
    ledger.reason = reason;
    ledger.events.length = 0;
    return isNew;
  }

  /** Who is suspended, and until when. */
  suspended(nowMs: number): ReadonlyMap<string, number> {
    return new Map(this.#now(nowMs).map(([userHash, { suspendedUntilMs }]) => [userHash, suspendedUntilMs]));
  }

  reasons(nowMs: number): ReadonlyMap<string, Suspension> {
    return new Map(this.#now(nowMs).map(([userHash, { reason }]) => [userHash, reason]));
  }

  /** JSON: what a restart must not forget. */
  text(nowMs: number): string {
    const users = [...this.#users]
      .map(([userHash, ledger]) => ({ userHash, ...ledger, events: recent(ledger.events, nowMs) }))
      .filter(({ events, suspendedUntilMs }) => events.length > 0 || suspendedUntilMs > nowMs);
    return JSON.stringify({ version: 1, users });
  }

  /** Takes up what `text` gave; anything else is nothing. */
  restore(text: string): void {
    const read = v.safeParse(v.pipe(v.string(), v.parseJson(), ledgers), text);
    for (const { userHash, ...ledger } of read.success ? read.output.users : []) {
      this.#users.set(userHash, ledger);
    }
  }

  #now(nowMs: number): [string, Ledger][] {
    return [...this.#users].filter(([, { suspendedUntilMs }]) => suspendedUntilMs > nowMs);
  }

  #ledger(userHash: string): Ledger {
    const known = this.#users.get(userHash);
    const ledger: Ledger = known ?? { events: [], suspendedUntilMs: 0, reason: "suspended" };
    this.#users.set(userHash, ledger);
    return ledger;
  }

  #add({ userHash, leases }: SessionCount, count: number, nowMs: number): boolean {
    if (count <= 0) {
      return false;
    }
    const ledger = this.#ledger(userHash);
    ledger.events.splice(0, ledger.events.length, ...recent(ledger.events, nowMs), { atMs: nowMs, count });
    const spent = ledger.events.reduce((sum, event) => sum + event.count, 0);
    if (spent <= this.#rules.announcements * Math.max(1, leases) || ledger.suspendedUntilMs > nowMs) {
      return false;
    }
    return this.suspend(userHash, "suspended", nowMs);
  }
}

function recent(events: Ledger["events"], nowMs: number): Ledger["events"] {
  return events.filter(({ atMs }) => atMs > nowMs - budgetWindowMs);
}

/** Another session of the same name began at another time, or counts from nothing again. */
function isSame(known: Known, count: Known): boolean {
  const movedMs = Math.abs((known.upAtMs ?? Number.NaN) - (count.upAtMs ?? Number.NaN));
  return count.updates >= known.updates && !(movedMs > sameSessionMsMax);
}
