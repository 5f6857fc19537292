/** Counts measurements into the store's history (lib/engines/store/clickhouse/count-history.ts) every few minutes. */
import { setTimeout as sleep } from "node:timers/promises";
import { isFailure } from "../../../lib/base/failure/failure.ts";
import { systemReason } from "../../../lib/base/failure/system-reason.ts";
import { countHistory } from "../../../lib/engines/store/clickhouse/count-history.ts";
import { historyEveryMs } from "./limits.ts";
import type { StoreLink } from "./store-link.ts";

interface KeeperJob {
  readonly store: StoreLink;
  readonly signal: AbortSignal;
  /** Called with each reason for which the store refuses, and with null when it no longer does. */
  readonly tell: (text: string | null) => void;
}

export class HistoryKeeper {
  /** Measurements that were counted since the start, each once and again after late rows. */
  counted = 0;
  readonly #job: KeeperJob;
  #isRefused = false;

  constructor(job: KeeperJob) {
    this.#job = job;
  }

  /** Runs until the signal, and then rejects; or with a store of another version. */
  async run(): Promise<void> {
    const { store, signal } = this.#job;
    for (;;) {
      await sleep(historyEveryMs, undefined, { signal });
      await store.ask(async (opened) => {
        try {
          this.counted += await countHistory(opened, { nowMs: Date.now(), signal });
          this.#hear(null);
        } catch (error) {
          if (!isFailure(error, "store", "refused")) {
            throw error;
          }
          // A right that the account lacks, or a query beyond its memory: tried again after the usual pause.
          this.#hear(`The history is not kept: ${systemReason(error)}`);
        }
      });
    }
  }

  #hear(reason: string | null): void {
    if (reason !== null || this.#isRefused) {
      this.#job.tell(reason);
    }
    this.#isRefused = reason !== null;
  }
}
