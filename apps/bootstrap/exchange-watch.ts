/**
 * What exchange servers say of this device's sessions, each asked by the clock. One that does not answer holds up
 * nothing but itself: it is waited for only a moment, and its answer counts when it comes.
 */
import { setTimeout as pause } from "node:timers/promises";
import { askExchange, ExchangeSilent } from "./exchange-status.ts";
import { exchangeWaitMs } from "./limits.ts";
import type { Heard } from "./snapshot.ts";

export interface ExchangeWatchParts {
  readonly port: number;
  readonly everyMs: number;
  /** A clock that never jumps. */
  readonly elapsedMs: () => number;
}

export class ExchangeWatch {
  readonly #parts: ExchangeWatchParts;
  readonly #heard = new Map<string, Heard>();
  /** By address: a question that is on its way. */
  readonly #asking = new Map<string, Promise<void>>();
  readonly #askedAtMs = new Map<string, number>();

  constructor(parts: ExchangeWatchParts) {
    this.#parts = parts;
  }

  /** All are asked at the next look: something has changed, which they will judge anew. */
  hurry(): void {
    this.#askedAtMs.clear();
  }

  /** What is known of those at `addresses`, by address. Never rejects for one that is silent. */
  async look(addresses: readonly string[], ownAddress: string | null): Promise<Map<string, Heard>> {
    const { everyMs, elapsedMs } = this.#parts;
    for (const address of ownAddress === null ? [] : addresses) {
      const askedAtMs = this.#askedAtMs.get(address) ?? Number.NEGATIVE_INFINITY;
      if (ownAddress !== null && !this.#asking.has(address) && elapsedMs() - askedAtMs >= everyMs) {
        this.#askedAtMs.set(address, elapsedMs());
        this.#asking.set(address, this.#ask(address, ownAddress));
      }
    }
    const limit = new AbortController();
    await Promise.race([Promise.all(this.#asking.values()), waitFor(exchangeWaitMs, limit.signal)]);
    limit.abort();
    for (const address of this.#heard.keys()) {
      if (!addresses.includes(address)) {
        this.#heard.delete(address);
        this.#askedAtMs.delete(address);
      }
    }
    return new Map(this.#heard);
  }

  async #ask(address: string, ownAddress: string): Promise<void> {
    try {
      const session = await askExchange({ address, port: this.#parts.port }, ownAddress);
      this.#heard.set(address, { session, failure: null });
    } catch (error) {
      if (!(error instanceof ExchangeSilent)) {
        throw error;
      }
      this.#heard.set(address, { session: null, failure: error.message });
    } finally {
      this.#asking.delete(address);
    }
  }
}

async function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  await pause(ms, null, { signal }).catch(() => undefined);
}
