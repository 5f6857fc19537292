/** How long the consumer waits for records, depending on its work: see `consumerWaitMs`. */
import type { IncomingRecord, Subscription } from "../../../../lib/engines/broker/broker.ts";
import { consumerWaitMs, queuedRecordsMax, quietAfterMs } from "../limits.ts";
import type { PartitionQueue } from "./partition-queue.ts";

export class ConsumerWait {
  /** Last time with work. */
  #activeAtMs = performance.now();

  /** Rejects like `subscription.next`. */
  async next(
    subscription: Subscription,
    isBusy: boolean,
    queues: Iterable<PartitionQueue>,
  ): Promise<IncomingRecord[]> {
    const waitMs = this.#waitMs(isBusy, queues);
    const records = await subscription.next({ recordsMax: queuedRecordsMax, waitMs });
    this.#activeAtMs = records.length > 0 ? performance.now() : this.#activeAtMs;
    return records;
  }

  #waitMs(isBusy: boolean, queues: Iterable<PartitionQueue>): number {
    const isBlocked = [...queues].some((queue) => queue.isOpen);
    if (isBusy || isBlocked) {
      this.#activeAtMs = performance.now();
      return isBusy ? consumerWaitMs.busy : consumerWaitMs.blocked;
    }
    const isQuiet = performance.now() - this.#activeAtMs > quietAfterMs;
    return isQuiet ? consumerWaitMs.quiet : consumerWaitMs.idle;
  }
}
