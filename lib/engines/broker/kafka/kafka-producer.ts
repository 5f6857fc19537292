/**
 * Publishes to Kafka: one request at a time, in order, so that records of one key never overtake each other.
 *
 * Idempotent: a batch whose answer was lost is not stored twice while kafkajs retries. After a final failure the
 * producer is discarded: kafkajs reuses the sequence number of the failed request, so a broker that did store it
 * would take the next request for a duplicate and drop it.
 */
import type { Kafka, Producer, RecordMetadata } from "kafkajs";
import { BrokerError, type OutgoingRecord, type RecordPosition } from "../broker.ts";
import type { KafkaCompression } from "../broker-options.ts";
import { partitionOf } from "../partition-of.ts";
import { compressionTypes } from "./codecs/codecs.ts";
import { closeGiveUpMs, requestTimeoutMs } from "./limits.ts";
import { requestBatches, wireBytes } from "./request-batches.ts";
import { withRetries, withTimeout } from "./retry-policy.ts";

interface Job {
  readonly topic: string;
  readonly records: readonly OutgoingRecord[];
  readonly bytes: number;
  readonly resolve: (places: RecordPosition[]) => void;
  readonly reject: (error: unknown) => void;
}

interface ProducerSettings {
  readonly batchBytesMax: number;
  readonly compression: KafkaCompression;
  readonly giveUpMs: number;
}

export class KafkaProducer {
  readonly #kafka: Kafka;
  readonly #settings: ProducerSettings;
  readonly #jobs: Job[] = [];
  /** Partitions of each topic, from the latest metadata. */
  readonly #partitions = new Map<string, number>();
  #producer: Promise<Producer> | null = null;
  #draining: Promise<void> | null = null;
  #isClosed = false;

  constructor(kafka: Kafka, settings: ProducerSettings) {
    this.#kafka = kafka;
    this.#settings = settings;
  }

  publish(topic: string, records: readonly OutgoingRecord[]): Promise<RecordPosition[]> {
    if (this.#isClosed) {
      return Promise.reject(new BrokerError("closed", `Cannot publish to "${topic}": the broker is closed`));
    }
    const bytes = records.reduce((sum, record) => sum + wireBytes(record), 0);
    return new Promise((resolve, reject) => {
      this.#jobs.push({ topic, records, bytes, resolve, reject });
      this.#draining ??= this.#drain();
    });
  }

  /** Sends the queued records, if the broker is reachable. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#draining;
    await this.#discard();
  }

  async #drain(): Promise<void> {
    while (this.#jobs.length > 0) {
      // Concurrent publishes join in.
      await new Promise((resolve) => setImmediate(resolve));
      await this.#sendTogether(this.#takeFirst());
    }
    this.#draining = null;
  }

  /** One job of any size, or several of one topic that fit into one request. */
  #takeFirst(): Job[] {
    let bytes = 0;
    let count = 0;
    for (const job of this.#jobs) {
      bytes += job.bytes;
      if (count > 0 && (job.topic !== this.#jobs[0]?.topic || bytes > this.#settings.batchBytesMax)) {
        break;
      }
      count++;
    }
    return this.#jobs.splice(0, count);
  }

  async #sendTogether(jobs: readonly Job[]): Promise<void> {
    const topic = jobs[0]?.topic ?? "";
    const records = jobs.flatMap((job) => job.records);
    try {
      const places: RecordPosition[] = [];
      for (const slice of requestBatches(records, this.#settings.batchBytesMax)) {
        places.push(...(await this.#sendPatiently(topic, slice)));
      }
      let at = 0;
      for (const { records, resolve } of jobs) {
        resolve(places.slice(at, at + records.length));
        at += records.length;
      }
    } catch (error) {
      // The jobs behind it have waited as long, and would fail too.
      const isAway = error instanceof BrokerError && error.code === "unavailable";
      for (const { reject } of [...jobs, ...(isAway ? this.#jobs.splice(0) : [])]) {
        reject(error);
      }
    }
  }

  #sendPatiently(topic: string, records: readonly OutgoingRecord[]): Promise<RecordPosition[]> {
    return withRetries({
      what: `publish to "${topic}"`,
      giveUpMs: this.#settings.giveUpMs,
      attempt: () => this.#send(topic, records),
      failed: () => void this.#discard(),
    });
  }

  async #send(topic: string, records: readonly OutgoingRecord[]): Promise<RecordPosition[]> {
    this.#producer ??= this.#connect();
    const producer = await this.#producer;
    const answers = await producer.send({
      topic,
      // kafkajs wants a Buffer; this one is a view, nothing is copied.
      messages: records.map(({ key, value, headers }) => ({
        key,
        value: Buffer.from(value.buffer, value.byteOffset, value.byteLength),
        headers,
      })),
      timeout: requestTimeoutMs,
      compression: compressionTypes[this.#settings.compression],
    });
    return placesOf(records, this.#partitions.get(topic) ?? 1, answers);
  }

  async #connect(): Promise<Producer> {
    const producer = this.#kafka.producer({
      idempotent: true,
      maxInFlightRequests: 1,
      allowAutoTopicCreation: false,
      createPartitioner:
        () =>
        ({ topic, partitionMetadata, message }) => {
          this.#partitions.set(topic, partitionMetadata.length);
          return partitionOf(String(message.key), partitionMetadata.length);
        },
    });
    await producer.connect();
    return producer;
  }

  async #discard(): Promise<void> {
    const producer = this.#producer;
    this.#producer = null;
    // A connection that does not close properly loses nothing.
    await withTimeout(
      Promise.resolve(producer).then((one) => one?.disconnect()),
      closeGiveUpMs,
    ).catch(() => undefined);
  }
}

/** A request holds one batch for each partition, whose records lie one after another from its base offset. */
function placesOf(
  records: readonly OutgoingRecord[],
  partitions: number,
  answers: readonly RecordMetadata[],
): RecordPosition[] {
  const next = new Map(answers.map(({ partition, baseOffset }) => [partition, BigInt(baseOffset ?? 0)]));
  return records.map(({ key }) => {
    const partition = partitionOf(key, partitions);
    const offset = next.get(partition) ?? 0n;
    next.set(partition, offset + 1n);
    return { partition, offset };
  });
}
