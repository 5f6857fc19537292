/** Admin calls to a Kafka cluster: topics, and groups' positions. */
import type { Admin, Kafka } from "kafkajs";
import { BrokerError, type Position, type Topic } from "../broker.ts";
import { isUnknownTopic } from "./kafka-error.ts";
import { closeGiveUpMs } from "./limits.ts";
import { withRetries, withTimeout } from "./retry-policy.ts";

/** `unavailable` is retried, so the next attempt finds the topic. */
function notSeenYet(topic: string): BrokerError {
  return new BrokerError("unavailable", `Cannot create topic "${topic}": the cluster does not show it yet`);
}

export class KafkaAdmin {
  readonly #kafka: Kafka;
  readonly #giveUpMs: number;
  #admin: Promise<Admin> | null = null;

  constructor(kafka: Kafka, giveUpMs: number) {
    this.#kafka = kafka;
    this.#giveUpMs = giveUpMs;
  }

  /** Checks first: an account that may use a topic may not always create one. */
  ensureTopic({ name, partitions, retentionMs }: Topic): Promise<void> {
    return this.#ask(`find or create topic "${name}"`, async (admin) => {
      if ((await admin.listTopics()).includes(name)) {
        return;
      }
      const configEntries = [{ name: "retention.ms", value: String(retentionMs) }];
      const topics = [{ topic: name, numPartitions: partitions, configEntries }];
      const isOurs = await admin.createTopics({ topics }).catch((error: unknown) => {
        // It exists, but kafkajs requested its leaders before every part of the cluster knew of it.
        throw isUnknownTopic(error) ? notSeenYet(name) : error;
      });
      if (!isOurs && !(await admin.listTopics()).includes(name)) {
        // Another client has created it just now: using it now would fail as unknown.
        throw notSeenYet(name);
      }
    });
  }

  /** Rejects with BrokerError `refused`. */
  requireTopics(topics: readonly string[]): Promise<void> {
    return this.#ask("list topics", async (admin) => {
      const known = await admin.listTopics();
      const missing = topics.find((topic) => !known.includes(topic));
      if (missing !== undefined) {
        throw new BrokerError("refused", `Cannot use topic "${missing}": it has not been created`);
      }
    });
  }

  async positions(group: string, topic: string): Promise<Position[]> {
    await this.requireTopics([topic]);
    return await this.#ask(`read positions of "${topic}"`, async (admin) => {
      const groups = await admin.fetchOffsets({ groupId: group, topics: [topic] });
      const offsets = groups.flatMap(({ partitions }) => partitions);
      const committed = new Map(offsets.map(({ partition, offset }) => [partition, BigInt(offset)]));
      const ends = await admin.fetchTopicOffsets(topic);
      return ends
        .map(({ partition, low, high }) => {
          const position = committed.get(partition) ?? -1n;
          const first = BigInt(low);
          return { partition, committed: position > first ? position : first, end: BigInt(high) };
        })
        .sort((a, b) => a.partition - b.partition);
    });
  }

  async close(): Promise<void> {
    const admin = this.#admin;
    this.#admin = null;
    await withTimeout(
      Promise.resolve(admin).then((one) => one?.disconnect()),
      closeGiveUpMs,
    ).catch(() => undefined);
  }

  #ask<Result>(what: string, question: (admin: Admin) => Promise<Result>): Promise<Result> {
    return withRetries({
      what,
      giveUpMs: this.#giveUpMs,
      attempt: async () => {
        this.#admin ??= this.#connect();
        return await question(await this.#admin);
      },
      failed: ({ code }) => {
        if (code === "unavailable") {
          void this.close();
        }
      },
    });
  }

  async #connect(): Promise<Admin> {
    const admin = this.#kafka.admin();
    await admin.connect();
    return admin;
  }
}
