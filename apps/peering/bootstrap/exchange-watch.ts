/**
 * Polls exchange servers for this device's sessions. A silent one does not delay the others: it is awaited only
 * briefly, and its answer counts when it comes.
 */
import { setTimeout as pause } from "node:timers/promises";
import { askExchange, ExchangeSilent } from "./exchange-status.ts";
import { exchangeWaitMs } from "./limits.ts";
import type { Received } from "./snapshot.ts";

interface ExchangeWatchParts {
  readonly port: number;
  readonly everyMs: number;
  /** A monotonic clock. */
  readonly elapsedMs: () => number;
}

export class ExchangeWatch {
  readonly #parts: ExchangeWatchParts;
  readonly #received = new Map<string, Received>();
  /** Requests in flight, by address. */
  readonly #asking = new Map<string, Promise<void>>();
  readonly #askedAtMs = new Map<string, number>();

  constructor(parts: ExchangeWatchParts) {
    this.#parts = parts;
  }

  /** Polls all in the next round, after a change that they will evaluate. */
  hurry(): void {
    this.#askedAtMs.clear();
  }

  /** The known status of the servers at `addresses`, by address. A silent one does not make it reject. */
  async look(addresses: readonly string[], ownAddress: string | null): Promise<Map<string, Received>> {
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
    for (const address of this.#received.keys()) {
      if (!addresses.includes(address)) {
        this.#received.delete(address);
        this.#askedAtMs.delete(address);
      }
    }
    return new Map(this.#received);
  }

  async #ask(address: string, ownAddress: string): Promise<void> {
    try {
      const session = await askExchange({ address, port: this.#parts.port }, ownAddress);
      this.#received.set(address, { session, failure: null });
    } catch (error) {
      if (!(error instanceof ExchangeSilent)) {
        throw error;
      }
      this.#received.set(address, { session: null, failure: error.message });
    } finally {
      this.#asking.delete(address);
    }
  }
}

async function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  await pause(ms, null, { signal }).catch(() => undefined);
}
