/**
 * Copies one topic of the broker into the store: reads, makes blocks, inserts, and only then commits.
 *
 * While one batch is inserted the next is read; a third waits in the broker. So memory is bounded by two batches
 * whatever the store does, and nothing that was not stored is ever committed.
 */
import {
  type Broker,
  BrokerError,
  type IncomingRecord,
  type Subscription,
  type Topic,
} from "../../../lib/engines/broker/broker.ts";
import { type Batch, BatchBuilder } from "./batch-builder.ts";
import type { Feed } from "./feed.ts";
import type { Journal } from "./journal.ts";
import { batchAgeMs, commitRetryMs, recordsPerTurn, replayWaitMs } from "./limits.ts";
import { recoveryOf } from "./recovery.ts";
import type { StoreLink } from "./store-link.ts";

interface IngestJob {
  readonly broker: Broker;
  readonly topic: Topic;
  readonly group: string;
  readonly feed: Feed;
  readonly journal: Journal;
  readonly store: StoreLink;
  readonly signal: AbortSignal;
}

/** Counters since the start; all of them only grow. */
interface IngestCounters {
  records: number;
  rows: number;
  batches: number;
  insertMs: number;
}

export class Ingester {
  readonly counters: IngestCounters = { records: 0, rows: 0, batches: 0, insertMs: 0 };
  readonly #job: IngestJob;
  readonly #builder: BatchBuilder;
  readonly #paused = new Set<number>();
  #inserting: Promise<void> | null = null;
  #failure: unknown = null;

  constructor(job: IngestJob) {
    this.#job = job;
    this.#builder = new BatchBuilder(job.feed);
  }

  /**
   * Runs until the signal; complete batches are inserted and committed, the rest is read again next time. Rejects when
   * the broker refuses, or the store has an incompatible version.
   */
  async run(): Promise<void> {
    const { broker, topic, group, feed, store, signal } = this.#job;
    await broker.ensureTopic(topic);
    let isWanted = true;
    await store.ask(async (opened) => {
      isWanted = await feed.isWanted(opened);
    });
    if (!isWanted) {
      return;
    }
    await using subscription = await broker.subscribe(group, [topic.name]);
    await this.#recover();
    // As a group member: no other process stores these records now.
    await store.ask((opened) => feed.learn(opened));
    while (!signal.aborted) {
      this.#throwFailure();
      const records = await subscription.next({ recordsMax: recordsPerTurn, waitMs: this.#waitMs() });
      this.#take(records, subscription);
      if (this.#isDue()) {
        await this.#flush(subscription);
      }
    }
    await this.#inserting;
  }

  async #recover(): Promise<void> {
    const { broker, topic, group, journal } = this.#job;
    const recovery = recoveryOf(journal.read(), await broker.positions(group, topic.name));
    if (recovery.kind === "again") {
      this.#builder.rebuild(recovery.batch, performance.now());
    }
    if (recovery.kind === "stored") {
      this.#builder.pass(recovery.uncommitted);
    }
  }

  #take(records: readonly IncomingRecord[], subscription: Subscription): void {
    const first = records[0];
    if (first === undefined) {
      return;
    }
    this.counters.records += records.length;
    const heldBefore = this.#builder.held;
    this.#builder.add(records, performance.now());
    if (this.#builder.held > heldBefore) {
      // Its next records would only wait too.
      subscription.pause(first.topic, first.partition);
      this.#paused.add(first.partition);
    }
  }

  #isDue(): boolean {
    const nowMs = performance.now();
    if (this.#builder.isRebuilding) {
      return this.#builder.isRebuilt || this.#builder.ageMs(nowMs) > replayWaitMs;
    }
    return this.#builder.isFull || (this.#builder.restMs(nowMs) === 0 && this.#inserting === null);
  }

  /** At most the batch's remaining age; short while an insert is in progress, whose end may start the next one. */
  #waitMs(): number {
    if (this.#builder.isEmpty || this.#builder.isRebuilding) {
      return batchAgeMs;
    }
    return this.#inserting === null ? Math.max(1, this.#builder.restMs(performance.now())) : batchAgeMs / 10;
  }

  /** Waits for the previous batch, so that only one is being inserted at a time. */
  async #flush(subscription: Subscription): Promise<void> {
    await this.#inserting;
    this.#throwFailure();
    const batch = this.#builder.take(performance.now());
    for (const partition of this.#paused) {
      subscription.resume(this.#job.topic.name, partition);
    }
    this.#paused.clear();
    this.#inserting = this.#store(batch, subscription)
      .catch((error) => {
        this.#failure = error;
      })
      .finally(() => {
        this.#inserting = null;
      });
  }

  async #store(batch: Batch, subscription: Subscription): Promise<void> {
    const { journal, store } = this.#job;
    const startedAt = performance.now();
    if (batch.parts.length > 0) {
      journal.write(batch);
      await store.insert(batch.parts, batch.token);
    }
    this.counters.rows += batch.rows;
    this.counters.batches++;
    this.counters.insertMs += performance.now() - startedAt;
    for (const { partition, next } of batch.ranges) {
      await this.#commit(subscription, partition, next);
    }
  }

  /** Retries until it is done: the journal holds this batch only, so the next one must wait. */
  async #commit(subscription: Subscription, partition: number, next: bigint): Promise<void> {
    const { topic, signal } = this.#job;
    for (;;) {
      try {
        await subscription.commit(topic.name, partition, next);
        return;
      } catch (error) {
        if (error instanceof BrokerError && error.code === "moved") {
          // The new owner of the partition reads these records again, and the store leaves them out.
          return;
        }
        if (!(error instanceof BrokerError && error.code === "unavailable") || signal.aborted) {
          throw error;
        }
        await Bun.sleep(commitRetryMs);
      }
    }
  }

  #throwFailure(): void {
    if (this.#failure !== null && !this.#job.signal.aborted) {
      throw this.#failure;
    }
  }
}
