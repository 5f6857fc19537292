/**
 * The feed of changes: the changes after a given number, or a wait for the next one. Of a user's renewals of
 * announcements, which the audit does not list, it has the last (`announcement.renew`).
 *
 * While a reader waits, one small query each quarter of a second finds new changes of any gateway; our own changes
 * trigger it at once.
 */
import { Problem } from "../../../../lib/engines/http/problem.ts";
import type { Database } from "../../../../lib/engines/store/postgres/open.ts";
import { changesMax, feedLookMs, feedWaitersMax, retryAfterSeconds } from "../limits.ts";

interface Change {
  readonly number: number;
  readonly at: string;
  readonly action: string;
  readonly user_hash: string | null;
  readonly prefix: string | null;
  readonly details: Readonly<Record<string, unknown>>;
}

interface Changes {
  /** The value of `since` for the next call. */
  readonly next: number;
  readonly changes: readonly Change[];
}

/** Actions that change who may announce what, now or soon. */
const actions = [
  ...["asn.assign", "asn.release", "user.suspend", "user.resume", "user.grants"],
  ...["lease.grant", "lease.renew", "lease.release", "lease.revoke", "lease.rpki"],
  ...["lease.ends_soon", "lease.end"],
  ...["announcement.set", "announcement.withdraw", "announcement.end"],
  ...["announcements.stop", "announcements.resume"],
];

interface Waiter {
  readonly since: number;
  readonly wake: () => void;
}

export class ChangeFeed implements Disposable {
  readonly #database: Database;
  readonly #waiters = new Set<Waiter>();
  #isLooking = false;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * The changes after `since`, as soon as there is one; empty after `waitMs`. Null, or a number of another database's
   * feed, gives the last change at once: the reader then reads the mappings again, and misses nothing.
   */
  async after(since: number | null, waitMs: number, signal: AbortSignal): Promise<Changes> {
    const giveUpAtMs = performance.now() + waitMs;
    for (let from = since; ; ) {
      const found = await this.#read(from);
      const leftMs = giveUpAtMs - performance.now();
      if (from === null || found.changes.length > 0 || leftMs <= 0 || signal.aborted || this.#isClosed) {
        return found;
      }
      from = found.next;
      await this.#wait(from, leftMs, signal);
    }
  }

  /** When the last one was made, by the database's clock: milliseconds since the epoch; 0 = there is none. */
  async lastChangeMs(): Promise<number> {
    const { sql, timed } = this.#database;
    const [row] = await timed(
      "feed_time",
      () => sql<{ at_ms: number }[]>`
        SELECT (extract(epoch FROM at) * 1000)::float8 AS at_ms FROM changes
        WHERE action = ANY (${actions}::text[]) ORDER BY change_number DESC LIMIT 1`,
    );
    return row?.at_ms ?? 0;
  }

  /** Call it when this gateway has changed something. */
  look(): void {
    if (this.#waiters.size > 0 && !this.#isLooking) {
      clearTimeout(this.#timer);
      void this.#look();
    }
  }

  /** Answers all waiting requests at once. */
  [Symbol.dispose](): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    for (const { wake } of this.#waiters) {
      wake();
    }
  }

  async #read(since: number | null): Promise<Changes> {
    const { sql, timed } = this.#database;
    const [row] = await timed(
      "feed_read",
      () => sql<{ last: number; changes: readonly Change[] }[]>`
        SELECT last_number AS last, (
          SELECT coalesce(jsonb_agg(to_jsonb(change) ORDER BY number), '[]') FROM (
            SELECT change_number AS number, to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS at,
              action, user_hash, prefix::text, details
            FROM (
              SELECT * FROM changes WHERE change_number > from_number AND action = ANY (${actions}::text[])
              UNION ALL
              SELECT renewed_number, renewed_at, 'gateway', 'announcement.renew', user_hash, NULL, '{}'
              FROM announcement_versions WHERE renewed_number > from_number
            ) AS told
            ORDER BY change_number LIMIT ${changesMax}
          ) AS change
        ) AS changes
        FROM feed, LATERAL (
          SELECT CASE WHEN ${since}::bigint <= last_number THEN ${since}::bigint ELSE last_number - 1 END
        ) AS read (from_number)`,
    );
    const { last = 0, changes = [] } = row ?? {};
    return { next: changes.length < changesMax ? last : (changes.at(-1)?.number ?? last), changes };
  }

  async #wait(since: number, waitMs: number, signal: AbortSignal): Promise<void> {
    if (this.#waiters.size >= feedWaitersMax) {
      throw tooManyWaiters();
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    const waiter = { since, wake: resolve };
    const late = setTimeout(resolve, waitMs);
    signal.addEventListener("abort", () => resolve(), { once: true });
    this.#waiters.add(waiter);
    this.#lookLater();
    await promise;
    clearTimeout(late);
    this.#waiters.delete(waiter);
  }

  #lookLater(): void {
    if (!this.#isLooking && !this.#isClosed && this.#waiters.size > 0) {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => void this.#look(), feedLookMs);
    }
  }

  async #look(): Promise<void> {
    this.#isLooking = true;
    const last = await this.#lastNumber();
    this.#isLooking = false;
    for (const waiter of this.#waiters) {
      if (last === null || waiter.since < last) {
        waiter.wake();
      }
    }
    this.#lookLater();
  }

  /** Null when the database is unreachable: waiting requests are woken, and find that out. */
  async #lastNumber(): Promise<number | null> {
    const { sql, timed } = this.#database;
    try {
      const [row] = await timed(
        "feed_look",
        () => sql<{ last_number: number }[]>`SELECT last_number FROM feed`,
      );
      return row?.last_number ?? null;
    } catch {
      return null;
    }
  }
}

function tooManyWaiters(): Problem {
  return new Problem({
    status: 503,
    code: "too_many_waiters",
    message: "Too many requests wait for changes; ask again, or with wait=0",
    headers: { "retry-after": String(retryAfterSeconds) },
  });
}
