/**
 * Fetched records that were not taken yet, one queue per partition, for one member of a group.
 *
 * A queue knows its next offset. After a rebalance, partitions that stay with us continue there, so no record is
 * delivered twice; new ones begin at the group's committed offset.
 */
import type { IncomingRecord } from "../broker.ts";
import { RoundRobin } from "../round-robin.ts";
import { queueBytesMax, queuesBytesMax } from "./limits.ts";

export interface PartitionQueue {
  readonly topic: string;
  readonly partition: number;
  readonly records: IncomingRecord[];
  bytes: number;
  /** Offset after the last record that came; null until the first has come. */
  nextOffset: bigint | null;
  /** Whether fetching is stopped until some records are taken. */
  isHeld: boolean;
}

export class PartitionQueues {
  readonly #queues = new RoundRobin<PartitionQueue>();
  readonly #paused = new Set<string>();
  #bytes = 0;
  #arrived: () => void = () => undefined;
  #taken: (() => void)[] = [];

  get all(): readonly PartitionQueue[] {
    return this.#queues.members;
  }

  find(topic: string, partition: number): PartitionQueue | undefined {
    return this.all.find((queue) => queue.partition === partition && queue.topic === topic);
  }

  /** Sets the partitions assigned to us. */
  assign(assignment: Readonly<Record<string, readonly number[]>>): void {
    this.#queues.keep((queue) => assignment[queue.topic]?.includes(queue.partition) === true);
    this.#bytes = this.all.reduce((sum, queue) => sum + queue.bytes, 0);
    for (const [topic, partitions] of Object.entries(assignment)) {
      for (const partition of partitions.filter((one) => this.find(topic, one) === undefined)) {
        this.#queues.add({ topic, partition, records: [], bytes: 0, nextOffset: null, isHeld: false });
      }
    }
  }

  /** Appends records; those already received are skipped. */
  add(queue: PartitionQueue, records: readonly IncomingRecord[]): void {
    for (const record of records) {
      if (queue.nextOffset === null || record.offset >= queue.nextOffset) {
        queue.records.push(record);
        queue.nextOffset = record.offset + 1n;
        queue.bytes += record.value.byteLength;
        this.#bytes += record.value.byteLength;
      }
    }
    this.#arrived();
  }

  isFull(queue: PartitionQueue): boolean {
    return queue.bytes >= queueBytesMax || (this.#bytes >= queuesBytesMax && queue.records.length > 0);
  }

  /** The next records of the partition whose turn it is; null without records. */
  take(recordsMax: number): { readonly queue: PartitionQueue; readonly records: IncomingRecord[] } | null {
    const queue = this.#queues.next((one) => one.records.length > 0 && !this.#paused.has(nameOf(one)));
    if (queue === null) {
      return null;
    }
    const records = queue.records.splice(0, recordsMax);
    const bytes = records.reduce((sum, record) => sum + record.value.byteLength, 0);
    queue.bytes -= bytes;
    this.#bytes -= bytes;
    const waiting = this.#taken;
    this.#taken = [];
    for (const wake of waiting) {
      wake();
    }
    return { queue, records };
  }

  setPaused(topic: string, partition: number, isPaused: boolean): void {
    if (isPaused) {
      this.#paused.add(nameOf({ topic, partition }));
    } else {
      this.#paused.delete(nameOf({ topic, partition }));
      this.#arrived();
    }
  }

  /** Waits until there may be records to take, at most `waitMs`. */
  arrival(waitMs: number): Promise<void> {
    return waitFor(waitMs, (wake) => {
      this.#arrived = wake;
    });
  }

  /** Ends a wait for an arrival. */
  wake(): void {
    this.#arrived();
  }

  /** Waits until the queue has room, at most `waitMs`. */
  async room(queue: PartitionQueue, waitMs: number): Promise<void> {
    const giveUpAt = performance.now() + waitMs;
    while (this.isFull(queue) && performance.now() < giveUpAt) {
      await waitFor(giveUpAt - performance.now(), (wake) => this.#taken.push(wake));
    }
  }
}

function nameOf({ topic, partition }: { readonly topic: string; readonly partition: number }): string {
  return `${topic}/${partition}`;
}

function waitFor(limitMs: number, give: (wake: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, limitMs);
    give(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
