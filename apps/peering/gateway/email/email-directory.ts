/**
 * Users' e-mail addresses, in memory only and for at most 5 minutes, fetched in the background.
 *
 * A reader gets the cached address; addresses that are missing or past half their age are queued and fetched a few at
 * a time; a reader that needs all of them gets the number of missing ones. A failure leaves an address unknown and is
 * counted; an unreachable or rate-limiting provider is left alone for a while.
 */
import type { Logger } from "../../../../lib/engines/observe/log.ts";
import type { Database } from "../../../../lib/engines/store/postgres/open.ts";
import {
  emailAgeMsMax,
  emailAsksMax,
  emailForgetMs,
  emailPollMs,
  emailQueueMax,
  emailRowsMax,
  emailsMax,
  emailWaitMs,
  providerPauseMs,
  providerPauseMsMax,
} from "../limits.ts";
import type { SubjectCipher } from "../subjects/subject-cipher.ts";
import type { EmailProvider } from "./email-provider.ts";
import { ProviderError } from "./provider-error.ts";

interface EmailParts {
  readonly database: Database;
  readonly cipher: SubjectCipher;
  /** Null = addresses are never known. */
  readonly provider: EmailProvider | null;
  /** `found`, `none`, `dropped`, or a code of ProviderError. */
  readonly onResult: (result: string) => void;
  readonly log: Logger;
  /** Milliseconds. */
  readonly now?: () => number;
}

interface Known {
  readonly email: string | null;
  readonly askedAtMs: number;
}

interface Sealed {
  readonly user_hash: string;
  readonly subject_jwe: string;
}

export class EmailDirectory implements Disposable {
  readonly #parts: EmailParts;
  readonly #now: () => number;
  readonly #known = new Map<string, Known>();
  readonly #queue = new Set<string>();
  /** Callers that wait for an address. */
  readonly #waiting = new Map<string, Set<() => void>>();
  readonly #forgetting = setInterval(() => this.#forgetOld(), emailForgetMs).unref();
  #worker: Promise<void> | null = null;
  #pauseUntilMs = 0;
  #isClosed = false;

  constructor(parts: EmailParts) {
    this.#parts = parts;
    this.#now = parts.now ?? Date.now;
  }

  /** The cached address; null = unknown. A missing or old address will be fetched. */
  peek(userHash: string): string | null {
    if (this.#parts.provider === null) {
      return null;
    }
    const known = this.#known.get(userHash);
    const ageMs = known === undefined ? Number.POSITIVE_INFINITY : this.#now() - known.askedAtMs;
    if (ageMs > emailAgeMsMax / 2) {
      this.#enqueue(userHash);
    }
    return known === undefined || ageMs >= emailAgeMsMax ? null : known.email;
  }

  /** The user has been erased. */
  forget(userHash: string): void {
    this.#known.delete(userHash);
    this.#queue.delete(userHash);
  }

  /** Whether the provider has recently answered with the user's address, or that the user has none. */
  isKnown(userHash: string): boolean {
    const known = this.#known.get(userHash);
    return (
      this.#parts.provider === null || (known !== undefined && this.#now() - known.askedAtMs < emailAgeMsMax)
    );
  }

  /** Requests unknown addresses and waits for a while. Resolves to the number that are still unknown. */
  async settle(userHashes: readonly string[]): Promise<number> {
    const unknown = () => userHashes.filter((userHash) => !this.isKnown(userHash));
    const endMs = performance.now() + emailWaitMs;
    let left = unknown();
    for (const userHash of left) {
      this.#enqueue(userHash);
    }
    while (left.length > 0 && performance.now() < endMs && !this.#isClosed) {
      await Bun.sleep(emailPollMs);
      left = unknown();
    }
    return left.length;
  }

  /** Like `peek`, but waits a while for an unknown address. */
  async find(userHash: string): Promise<string | null> {
    const email = this.peek(userHash);
    if (email === null && this.#queue.has(userHash)) {
      await this.#answered(userHash);
    }
    return this.peek(userHash);
  }

  [Symbol.dispose](): void {
    this.#isClosed = true;
    clearInterval(this.#forgetting);
    this.#queue.clear();
    for (const userHash of [...this.#waiting.keys()]) {
      this.#tell(userHash);
    }
  }

  #enqueue(userHash: string): void {
    if (this.#isClosed || this.#queue.has(userHash)) {
      return;
    }
    if (this.#queue.size >= emailQueueMax) {
      this.#parts.onResult("dropped");
      return;
    }
    this.#queue.add(userHash);
    this.#worker ??= this.#work().finally(() => {
      this.#worker = null;
    });
  }

  async #answered(userHash: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const waiters = this.#waiting.get(userHash) ?? new Set();
    this.#waiting.set(userHash, waiters.add(resolve));
    const late = setTimeout(resolve, emailWaitMs);
    await promise;
    clearTimeout(late);
    waiters.delete(resolve);
    if (waiters.size === 0) {
      this.#waiting.delete(userHash);
    }
  }

  #tell(userHash: string): void {
    for (const resolve of this.#waiting.get(userHash) ?? []) {
      resolve();
    }
  }

  async #work(): Promise<void> {
    while (this.#queue.size > 0) {
      await this.#pause();
      const some = [...this.#queue.keys().take(emailRowsMax)];
      try {
        await this.#askAll(some, await this.#sealed(some));
      } catch (error) {
        this.#parts.log.warn("Cannot read whose e-mail addresses to ask for", { error });
      }
      for (const userHash of some) {
        this.#queue.delete(userHash);
        this.#tell(userHash);
      }
    }
  }

  async #pause(): Promise<void> {
    while (!this.#isClosed && this.#now() < this.#pauseUntilMs) {
      await Bun.sleep(Math.min(100, this.#pauseUntilMs - this.#now()));
    }
  }

  #sealed(userHashes: readonly string[]): Promise<Sealed[]> {
    const { sql, timed } = this.#parts.database;
    return timed(
      "subjects_read",
      () => sql<Sealed[]>`
        SELECT user_hash, subject_jwe FROM users WHERE user_hash = ANY (${[...userHashes]}::text[])`,
    );
  }

  /** Several workers, each taking the next one when it is done. */
  async #askAll(some: readonly string[], rows: readonly Sealed[]): Promise<void> {
    const next = rows.values();
    const asks = Array.from({ length: Math.min(emailAsksMax, some.length) }, async () => {
      for (const row of next) {
        await this.#pause();
        await this.#ask(row);
      }
    });
    await Promise.all(asks);
  }

  async #ask({ user_hash, subject_jwe }: Sealed): Promise<void> {
    const { provider, cipher, onResult } = this.#parts;
    if (this.#isClosed || provider === null) {
      return;
    }
    try {
      const email = await provider.emailOf(await cipher.open(subject_jwe));
      this.#keep(user_hash, email);
      onResult(email === null ? "none" : "found");
    } catch (error) {
      this.#failed(error);
    }
    this.#tell(user_hash);
  }

  #failed(error: unknown): void {
    const isProvider = error instanceof ProviderError;
    const code = isProvider ? error.code : "failed";
    this.#parts.onResult(code);
    if (isProvider && code !== "malformed") {
      const waitMs = Math.min(error.retryAfterMs ?? providerPauseMs, providerPauseMsMax);
      this.#pauseUntilMs = Math.max(this.#pauseUntilMs, this.#now() + waitMs);
    }
  }

  /** Beyond the limit the oldest entry is evicted. */
  #keep(userHash: string, email: string | null): void {
    this.#known.delete(userHash);
    this.#known.set(userHash, { email, askedAtMs: this.#now() });
    if (this.#known.size > emailsMax) {
      const [first] = this.#known.keys().take(1);
      this.#known.delete(first ?? "");
    }
  }

  /** Entries are in order of age. */
  #forgetOld(): void {
    for (const [userHash, { askedAtMs }] of this.#known) {
      if (this.#now() - askedAtMs < emailAgeMsMax) {
        return;
      }
      this.#known.delete(userHash);
    }
  }
}
