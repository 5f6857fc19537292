/** The ingester's connection to the store: retries inserts until they succeed, across restarts of the store. */
import { setTimeout as sleep } from "node:timers/promises";
import { Failure, isFailure } from "../../../lib/base/failure/failure.ts";
import { systemReason } from "../../../lib/base/failure/system-reason.ts";
import { clusterOf } from "../../../lib/engines/store/clickhouse/cluster-of.ts";
import { insertBlock } from "../../../lib/engines/store/clickhouse/insert-block.ts";
import { checkVersion } from "../../../lib/engines/store/clickhouse/migrate.ts";
import { type ColumnStore, openStore } from "../../../lib/engines/store/clickhouse/open.ts";
import type { Part } from "./feed.ts";
import { retryWaitMs } from "./limits.ts";

/** Called once when a problem starts, and once with null when it is over. */
type Trouble = (text: string | null) => void;

export class StoreLink implements AsyncDisposable {
  /** Failed attempts. */
  failures = 0;
  readonly #address: string;
  readonly #signal: AbortSignal;
  readonly #tell: Trouble;
  #store: ColumnStore | null = null;
  #isInTrouble = false;

  constructor(address: string, signal: AbortSignal, tell: Trouble) {
    this.#address = address;
    this.#signal = signal;
    this.#tell = tell;
  }

  /** Rejects on the signal (then the parts may be stored or not), or with a store of another version. */
  async insert(parts: readonly Part[], token: string): Promise<void> {
    for (const { name, table, block } of parts) {
      await this.#persist((store) => insertBlock(store, { table, block, token: `${token}/${name}` }));
    }
  }

  /** Retries until the store is reachable, of our version, and has responded. */
  async ask(action: (store: ColumnStore) => Promise<void>): Promise<void> {
    await this.#persist(action);
  }

  async #persist(action: (store: ColumnStore) => Promise<void>): Promise<void> {
    for (let waitMs: number = retryWaitMs.first; ; waitMs = Math.min(2 * waitMs, retryWaitMs.last)) {
      this.#signal.throwIfAborted();
      try {
        this.#store ??= await opened(this.#address);
        await action(this.#store);
        this.#calm();
        return;
      } catch (error) {
        await this.#close();
        // A stop closes connections in the middle of a statement: that is not an error.
        this.#signal.throwIfAborted();
        if (isFailure(error, "store", "version", "badAddress")) {
          throw error;
        }
        // Another process's insert is not a failure, unless it does not end.
        if (!isBusy(error) || waitMs >= retryWaitMs.last) {
          this.failures++;
          this.#complain(systemReason(error));
        }
        await sleep(waitMs, undefined, { signal: this.#signal });
      }
    }
  }

  #complain(text: string): void {
    if (!this.#isInTrouble) {
      this.#isInTrouble = true;
      this.#tell(text);
    }
  }

  #calm(): void {
    if (this.#isInTrouble) {
      this.#isInTrouble = false;
      this.#tell(null);
    }
  }

  /** The process behind an address may have been replaced, on another port. */
  async #close(): Promise<void> {
    const store = this.#store;
    this.#store = null;
    await store?.[Symbol.asyncDispose]();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#close();
  }
}

function isBusy(error: unknown): boolean {
  return isFailure(error, "store", "busy");
}

async function opened(address: string): Promise<ColumnStore> {
  const store = await openStore(address);
  try {
    await checkVersion(store);
    const cluster = await clusterOf(store);
    if (cluster !== null) {
      const message = `Cannot fill ${store.address}: it is the front of ${cluster}; give each ingester a shard`;
      throw new Failure("store", "badAddress", message);
    }
    return store;
  } catch (error) {
    await store[Symbol.asyncDispose]();
    throw error;
  }
}
