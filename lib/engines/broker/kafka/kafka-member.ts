/**
 * A member of a consumer group, kept alive: fills the partition queues, and is replaced when kafkajs gives up on it.
 *
 * kafkajs hands over whole batches. They go into the queues at once, and the next fetch continues after them; a
 * partition with a full queue is paused at the broker until records are taken. Offsets are committed only explicitly.
 */
import type { Consumer, EachBatchPayload, Kafka } from "kafkajs";
import { BrokerError } from "../broker.ts";
import { incomingRecord } from "./incoming-record.ts";
import { brokerErrorOf } from "./kafka-error.ts";
import {
  clientRetry,
  closeGiveUpMs,
  fetchBytesMax,
  fetchPartitionBytesMax,
  fetchWaitMs,
  heartbeatEveryMs,
  partitionsAtOnce,
  queueBytesMax,
  rebalanceTimeoutMs,
  roomWaitMs,
  sessionTimeoutMs,
  silenceMaxMs,
  tryAgainMs,
} from "./limits.ts";
import type { PartitionQueue, PartitionQueues } from "./partition-queues.ts";
import { withTimeout } from "./retry-policy.ts";

export interface Membership {
  readonly kafka: Kafka;
  readonly group: string;
  readonly topics: readonly string[];
  readonly queues: PartitionQueues;
  /** How long joining and committing are tried. */
  readonly giveUpMs: number;
  /** Called when the group is lost, and when it is joined again. */
  readonly say: (line: string) => void;
}

export class KafkaMember {
  readonly #membership: Membership;
  readonly #committed = new Map<PartitionQueue, bigint>();
  readonly #watchdog: ReturnType<typeof setInterval>;
  readonly #joined = Promise.withResolvers<void>();
  #consumer: Consumer | null = null;
  #pauseMs: number = tryAgainMs.first;
  #aliveAt = performance.now();
  #reason: BrokerError | null = null;
  #isJoined = false;
  #isAway = false;
  #isClosed = false;

  private constructor(membership: Membership) {
    this.#membership = membership;
    this.#watchdog = setInterval(() => this.#lookForLife(), 1000);
    this.#watchdog.unref();
  }

  /** Resolves when the group is joined. Rejects with BrokerError: `unavailable` after `giveUpMs`, else at once. */
  static async join(membership: Membership): Promise<KafkaMember> {
    const member = new KafkaMember(membership);
    member.#start();
    try {
      await withTimeout(member.#joined.promise, membership.giveUpMs);
      return member;
    } catch (error) {
      await member.close();
      throw member.#reason ?? brokerErrorOf(error, `join group "${membership.group}"`);
    }
  }

  /** True when the broker has acknowledged it; false when the group is being joined again just now. */
  async commit(queue: PartitionQueue, nextOffset: bigint): Promise<boolean> {
    const { topic, partition } = queue;
    if (this.#consumer === null || !this.#isJoined) {
      return false;
    }
    this.#committed.delete(queue);
    await this.#consumer.commitOffsets([{ topic, partition, offset: String(nextOffset) }]);
    // kafkajs does not report a commit that it could not even try.
    return (this.#committed.get(queue) ?? -1n) >= nextOffset;
  }

  /** Resumes fetching when enough was taken. */
  taken(queue: PartitionQueue): void {
    if (queue.isHeld && queue.bytes <= queueBytesMax / 2) {
      queue.isHeld = false;
      this.#consumer?.resume([{ topic: queue.topic, partitions: [queue.partition] }]);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#watchdog);
    const consumer = this.#consumer;
    this.#consumer = null;
    await leave(consumer);
  }

  #start(): void {
    if (this.#isClosed) {
      return;
    }
    this.#aliveAt = performance.now();
    const consumer = this.#membership.kafka.consumer({
      groupId: this.#membership.group,
      sessionTimeout: sessionTimeoutMs,
      heartbeatInterval: heartbeatEveryMs,
      rebalanceTimeout: rebalanceTimeoutMs,
      maxWaitTimeInMs: fetchWaitMs,
      maxBytes: fetchBytesMax,
      maxBytesPerPartition: fetchPartitionBytesMax,
      allowAutoTopicCreation: false,
      // We replace it, also after errors that kafkajs treats as final.
      retry: { ...clientRetry, restartOnFailure: async () => false },
    });
    this.#consumer = consumer;
    this.#listen(consumer);
    this.#run(consumer).catch((error) => this.#failed(consumer, error));
  }

  async #run(consumer: Consumer): Promise<void> {
    await consumer.connect();
    await consumer.subscribe({ topics: [...this.#membership.topics], fromBeginning: true });
    await consumer.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      partitionsConsumedConcurrently: partitionsAtOnce,
      eachBatch: (payload) => this.#receive(consumer, payload),
    });
  }

  #listen(consumer: Consumer): void {
    const { GROUP_JOIN, FETCH, HEARTBEAT, CRASH, COMMIT_OFFSETS } = consumer.events;
    const isAlive = () => {
      this.#aliveAt = performance.now();
    };
    consumer.on(FETCH, isAlive);
    consumer.on(HEARTBEAT, isAlive);
    consumer.on(CRASH, ({ payload }) => this.#failed(consumer, payload.error));
    consumer.on(GROUP_JOIN, ({ payload }) => {
      if (consumer === this.#consumer) {
        this.#assigned(consumer, payload.memberAssignment);
      }
    });
    consumer.on(COMMIT_OFFSETS, ({ payload }) => {
      for (const { topic, partitions } of payload.topics) {
        for (const { partition, offset } of partitions) {
          const queue = this.#membership.queues.find(topic, partition);
          if (queue !== undefined) {
            this.#committed.set(queue, BigInt(String(offset)));
          }
        }
      }
    });
  }

  /** Must not await: kafkajs fetches from the committed offsets as soon as this returns. */
  #assigned(consumer: Consumer, assignment: Readonly<Record<string, number[]>>): void {
    const { queues } = this.#membership;
    queues.assign(assignment);
    this.#committed.clear();
    for (const { topic, partition, nextOffset, isHeld } of queues.all) {
      if (nextOffset !== null) {
        consumer.seek({ topic, partition, offset: String(nextOffset) });
      }
      if (isHeld) {
        consumer.pause([{ topic, partitions: [partition] }]);
      }
    }
    this.#aliveAt = performance.now();
    this.#pauseMs = tryAgainMs.first;
    if (this.#isAway) {
      this.#isAway = false;
      this.#membership.say(`Kafka is back: group "${this.#membership.group}" joined again`);
    }
    this.#isJoined = true;
    this.#joined.resolve();
  }

  async #receive(consumer: Consumer, { batch, resolveOffset, isStale }: EachBatchPayload): Promise<void> {
    const { queues } = this.#membership;
    const { topic, partition } = batch;
    const queue = queues.find(topic, partition);
    if (consumer !== this.#consumer || queue === undefined || isStale()) {
      return;
    }
    if (queue.nextOffset !== null && BigInt(batch.highWatermark) < queue.nextOffset) {
      // The topic was recreated: its records have never been seen.
      queue.nextOffset = null;
    }
    queues.add(
      queue,
      batch.messages.map((message) => incomingRecord(topic, partition, message)),
    );
    resolveOffset(batch.lastOffset());
    await queues.room(queue, roomWaitMs);
    if (queues.isFull(queue) && consumer === this.#consumer) {
      queue.isHeld = true;
      consumer.pause([{ topic, partitions: [partition] }]);
    }
  }

  #failed(consumer: Consumer, cause: unknown): void {
    if (consumer !== this.#consumer) {
      return;
    }
    this.#consumer = null;
    this.#isJoined = false;
    void leave(consumer);
    const error = brokerErrorOf(cause, `read for group "${this.#membership.group}"`);
    this.#reason = error;
    if (error.code !== "unavailable") {
      this.#joined.reject(error);
    }
    if (!this.#isAway && !this.#isClosed) {
      this.#isAway = true;
      this.#membership.say(error.message);
    }
    setTimeout(() => this.#start(), this.#pauseMs);
    this.#pauseMs = Math.min(this.#pauseMs * 2, tryAgainMs.max);
  }

  #lookForLife(): void {
    if (this.#consumer !== null && performance.now() - this.#aliveAt > silenceMaxMs) {
      this.#failed(this.#consumer, new BrokerError("unavailable", "Kafka does not answer"));
    }
  }
}

/** Leaves the group if the broker is reachable; otherwise the session times out. */
async function leave(consumer: Consumer | null): Promise<void> {
  await withTimeout(Promise.resolve(consumer?.disconnect()), closeGiveUpMs).catch(() => undefined);
}
