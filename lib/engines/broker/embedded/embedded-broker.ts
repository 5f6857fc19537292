/**
 * The embedded broker: a folder with one durable log for each topic, shared by the processes of one machine.
 *
 *   DIR/TOPIC.log          SQLite file with records and committed offsets (log-schema.ts), -wal and -shm beside it
 *   DIR/TOPIC.GROUP.group  held by the group's member while it lives (group-lock.ts)
 *
 * A publish that has resolved is on disk, so it survives `kill -9` of any process and a power failure. The folder must
 * be on a local disk: SQLite's locks and shared memory do not work across machines.
 */
import { mkdirSync } from "node:fs";
import { resolve } from "node:path";
import { checkRoom } from "../../../base/disk/check-room.ts";
import { systemReason } from "../../../base/failure/system-reason.ts";
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
import { EmbeddedSubscription } from "./embedded-subscription.ts";
import { GroupLock } from "./group-lock.ts";
import { logBytesMaxDefault, retentionEveryMs } from "./limits.ts";
import { createLog } from "./log-connection.ts";
import { brokerErrorOf, isBusy } from "./sqlite-error.ts";
import { type LogLimits, TopicLog } from "./topic-log.ts";

export class EmbeddedBroker implements Broker {
  readonly #folder: string;
  readonly #limits: LogLimits;
  readonly #say: (line: string) => void;
  readonly #logs = new Map<string, TopicLog>();
  readonly #subscriptions = new Set<Subscription>();
  #isClosed = false;

  constructor(folder: string, options: BrokerOptions) {
    this.#folder = resolve(folder);
    this.#limits = {
      logBytesMax: options.logBytesMax ?? logBytesMaxDefault,
      giveUpMs: options.giveUpMs ?? giveUpMsDefault,
      retentionEveryMs,
    };
    this.#say = options.log ?? (() => undefined);
  }

  async ensureTopic(topic: Topic): Promise<void> {
    this.#checkOpen();
    checkTopic(topic);
    const what = `create topic "${topic.name}" in ${this.#folder}`;
    makeFolder(this.#folder, what);
    const giveUpAt = performance.now() + this.#limits.giveUpMs;
    for (;;) {
      try {
        return createLog(this.#folder, topic);
      } catch (error) {
        if (!isBusy(error) || performance.now() > giveUpAt) {
          throw brokerErrorOf(error, what);
        }
      }
      await Bun.sleep(5);
    }
  }

  async publish(topic: string, records: readonly OutgoingRecord[]): Promise<RecordPosition[]> {
    this.#checkOpen();
    const bytes = checkRecords(topic, records);
    return await this.#log(topic).publish(records, bytes);
  }

  async subscribe(group: string, topics: readonly string[]): Promise<Subscription> {
    this.#checkOpen();
    const logs = [...new Set(topics)].sort().map((topic) => this.#log(topic));
    const locks: GroupLock[] = [];
    try {
      for (const log of logs) {
        // First, because a lock file for a missing topic would stay behind.
        await log.ends();
        locks.push(await GroupLock.take(this.#folder, group, log.topic));
      }
      const subscription = await EmbeddedSubscription.start({ group, logs, locks, say: this.#say });
      this.#subscriptions.add(subscription);
      return subscription;
    } catch (error) {
      for (const lock of locks) {
        lock[Symbol.dispose]();
      }
      throw error;
    }
  }

  async positions(group: string, topic: string): Promise<Position[]> {
    this.#checkOpen();
    return await this.#log(topic).positions(group);
  }

  async checkRoom(): Promise<void> {
    this.#checkOpen();
    makeFolder(this.#folder, `use ${this.#folder}`);
    try {
      await checkRoom(this.#folder);
    } catch (cause) {
      throw new BrokerError("unavailable", `Cannot write to ${this.#folder}`, { cause });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    for (const subscription of this.#subscriptions) {
      await subscription[Symbol.asyncDispose]();
    }
    for (const log of this.#logs.values()) {
      await log.close();
    }
    this.#logs.clear();
  }

  #log(topic: string): TopicLog {
    checkTopicName(topic);
    let log = this.#logs.get(topic);
    if (log === undefined) {
      log = new TopicLog(this.#folder, topic, this.#limits);
      this.#logs.set(topic, log);
    }
    return log;
  }

  #checkOpen(): void {
    if (this.#isClosed) {
      throw new BrokerError("closed", "Cannot use the broker: it is closed");
    }
  }
}

function makeFolder(folder: string, what: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    const reason = systemReason(error);
    throw new BrokerError("unavailable", `Cannot ${what}: ${reason}`, { cause: error });
  }
}
