/** A Kafka cluster, or a compatible broker, through kafkajs 2.2.4. It connects at the first call. */
import type { Kafka } from "kafkajs";
import {
  type Broker,
  BrokerError,
  type OutgoingRecord,
  type Position,
  type RecordPosition,
  type Subscription,
  type Topic,
} from "../broker.ts";
import { type BrokerOptions, giveUpMsDefault } from "../broker-options.ts";
import { checkRecords } from "../record-size.ts";
import { checkTopic, checkTopicName } from "../topic-name.ts";
import { KafkaAdmin } from "./kafka-admin.ts";
import { kafkaClient } from "./kafka-client.ts";
import { KafkaProducer } from "./kafka-producer.ts";
import { KafkaSubscription } from "./kafka-subscription.ts";
import { batchBytesMaxDefault } from "./limits.ts";
import { PartitionQueues } from "./partition-queues.ts";

export class KafkaBroker implements Broker {
  readonly #kafka: Kafka;
  readonly #giveUpMs: number;
  readonly #admin: KafkaAdmin;
  readonly #producer: KafkaProducer;
  readonly #say: (line: string) => void;
  readonly #subscriptions = new Set<Subscription>();
  #isClosed = false;

  constructor(servers: readonly string[], options: BrokerOptions) {
    this.#kafka = kafkaClient(servers, options);
    this.#giveUpMs = options.giveUpMs ?? giveUpMsDefault;
    this.#admin = new KafkaAdmin(this.#kafka, this.#giveUpMs);
    this.#producer = new KafkaProducer(this.#kafka, {
      batchBytesMax: options.batchBytesMax ?? batchBytesMaxDefault,
      compression: options.compression ?? "none",
      giveUpMs: this.#giveUpMs,
    });
    this.#say = options.log ?? (() => undefined);
  }

  async ensureTopic(topic: Topic): Promise<void> {
    this.#checkOpen();
    checkTopic(topic);
    await this.#admin.ensureTopic(topic);
  }

  async publish(topic: string, records: readonly OutgoingRecord[]): Promise<RecordPosition[]> {
    this.#checkOpen();
    checkTopicName(topic);
    checkRecords(topic, records);
    return await this.#producer.publish(topic, records);
  }

  async subscribe(group: string, topics: readonly string[]): Promise<Subscription> {
    this.#checkOpen();
    topics.forEach(checkTopicName);
    await this.#admin.requireTopics(topics);
    const subscription = await KafkaSubscription.join({
      kafka: this.#kafka,
      group,
      topics,
      queues: new PartitionQueues(),
      giveUpMs: this.#giveUpMs,
      say: this.#say,
    });
    this.#subscriptions.add(subscription);
    return subscription;
  }

  async positions(group: string, topic: string): Promise<Position[]> {
    this.#checkOpen();
    checkTopicName(topic);
    return await this.#admin.positions(group, topic);
  }

  /** The broker checks its own disk: a refusal shows when publishing. */
  async checkRoom(): Promise<void> {
    this.#checkOpen();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#subscriptions].map((one) => one[Symbol.asyncDispose]()));
    await Promise.all([this.#producer.close(), this.#admin.close()]);
  }

  #checkOpen(): void {
    if (this.#isClosed) {
      throw new BrokerError("closed", "Cannot use the broker: it is closed");
    }
  }
}
