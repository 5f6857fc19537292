/**
 * Batches to publish, oldest first: some in memory, and in the spool while the broker is unreachable.
 *
 * Nothing is dropped: when the spool is full too, `add` refuses, and the caller keeps its replies.
 */
import { systemReason } from "../../../../lib/base/failure/system-reason.ts";
import { type Broker, BrokerError } from "../../../../lib/engines/broker/broker.ts";
import { topicPartitions, topicRetentionMs } from "../../../../lib/net/wire/target-header.ts";
import type { ProducerCounter } from "../agent-counters.ts";
import type { Counters } from "../engine/counters.ts";
import { retryMs, waitingBatchesMax } from "../limits.ts";
import type { Batch } from "./reply-batcher.ts";
import type { Spool } from "./spool.ts";

/** Delay of noticing the end while the broker is unreachable. */
const pauseMs = 50;

interface OutboxParts {
  readonly broker: Broker;
  readonly topic: string;
  readonly spool: Spool;
  readonly counters: Counters<ProducerCounter>;
  readonly onFailure: (text: string) => void;
}

export class Outbox {
  readonly #parts: OutboxParts;
  /** Older than all batches in the spool; moved there when it has room and the broker is unreachable. */
  #waiting: Batch[] = [];
  /** Being published, and no longer in memory's queue. */
  #inFlight: Batch | null = null;
  #isAway = false;
  #hasTopic = false;
  #idle = Promise.withResolvers<void>();

  constructor(parts: OutboxParts) {
    this.#parts = parts;
    this.#showSpool();
  }

  get isEmpty(): boolean {
    return this.#inFlight === null && this.#waiting.length === 0 && this.#parts.spool.isEmpty;
  }

  /** False without room in memory and on disk. */
  add(batch: Batch): boolean {
    const { spool } = this.#parts;
    if (!this.#isAway && spool.isEmpty && this.#waiting.length < waitingBatchesMax) {
      this.#waiting.push(batch);
      this.wake();
      return true;
    }
    const added = this.#toDisk() && spool.add(batch);
    if (added) {
      batch.onSafe?.();
    }
    this.#showSpool();
    this.wake();
    return added;
  }

  /** While there is nothing to publish, `run` checks `isOver` only after this or a new batch. */
  wake(): void {
    this.#idle.resolve();
  }

  /** Publishes until `isOver`. */
  async run(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      const fromMemory = this.#waiting.shift() ?? null;
      const batch = fromMemory ?? this.#parts.spool.oldest();
      if (batch === null) {
        await this.#idle.promise;
        this.#idle = Promise.withResolvers();
        continue;
      }
      this.#inFlight = fromMemory;
      const isPublished = await this.#publish(batch);
      this.#inFlight = null;
      if (isPublished) {
        batch.onSafe?.();
      }
      if (isPublished && fromMemory === null) {
        this.#parts.spool.removeOldest();
      }
      if (!isPublished) {
        this.#waiting.unshift(...(fromMemory === null ? [] : [fromMemory]));
        this.#toDisk();
        await this.#pause(isOver);
      }
      this.#showSpool();
    }
  }

  /**
   * Writes everything to disk, including the batch being published: it may arrive twice, but is not lost. False = no
   * room.
   */
  rescue(): boolean {
    this.#waiting.unshift(...(this.#inFlight === null ? [] : [this.#inFlight]));
    const isSafe = this.#toDisk();
    this.#showSpool();
    return isSafe;
  }

  async #publish(batch: Batch): Promise<boolean> {
    const { broker, topic, counters, onFailure } = this.#parts;
    try {
      if (!this.#hasTopic) {
        await broker.ensureTopic({ name: topic, partitions: topicPartitions, retentionMs: topicRetentionMs });
        this.#hasTopic = true;
      }
      await broker.publish(topic, batch.records);
      counters.add("replies_published", batch.replies);
      counters.add("reply_records_published", batch.records.length);
      counters.add("reply_bytes_published", batch.bytes);
      this.#setAway(false);
      return true;
    } catch (error) {
      counters.add("publish_failures", 1);
      onFailure(`Cannot publish replies: ${systemReason(error)}`);
      if (error instanceof BrokerError && error.code === "recordTooLarge") {
        counters.add("replies_dropped", batch.replies);
        return true;
      }
      this.#setAway(true);
      return false;
    }
  }

  #setAway(isAway: boolean): void {
    this.#isAway = isAway;
    this.#parts.counters.set("producer_away", isAway ? 1 : 0);
  }

  /** False when something had to stay in memory. */
  #toDisk(): boolean {
    while (this.#waiting[0] !== undefined && this.#parts.spool.add(this.#waiting[0])) {
      this.#waiting.shift()?.onSafe?.();
    }
    return this.#waiting.length === 0;
  }

  async #pause(isOver: () => boolean): Promise<void> {
    const untilMs = performance.now() + retryMs;
    while (!isOver() && performance.now() < untilMs) {
      await Bun.sleep(pauseMs);
    }
  }

  #showSpool(): void {
    this.#parts.counters.set("spool_bytes", this.#parts.spool.bytes);
  }
}
