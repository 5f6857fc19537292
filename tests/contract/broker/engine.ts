/** What the contract asks of an engine's set-up, and small helpers that all its tests use. */
import type {
  Broker,
  IncomingRecord,
  OutgoingRecord,
  Subscription,
} from "../../../lib/engines/broker/broker.ts";
import type { BrokerOptions } from "../../../lib/engines/broker/broker-options.ts";
import { openBroker } from "../../../lib/engines/broker/open.ts";

export interface RunningEngine extends AsyncDisposable {
  readonly address: string;
  /** From now on nothing can be published. */
  goAway(): Promise<void>;
  comeBack(): Promise<void>;
}

export interface EngineSetUp {
  readonly start: () => Promise<RunningEngine>;
  /** What a second member of a group meets: a share of the partitions, or a clear refusal. */
  readonly secondMember: "shares" | "isRefused";
  /** Whether readers see all records of a publish or none. */
  readonly publishesWhole: boolean;
}

/** The engine of a suite: it runs from the first test to the last. */
export interface Stage {
  readonly setUp: EngineSetUp;
  readonly engine: () => RunningEngine;
}

/** More than any engine needs to hand over what is there; a killed member blocks Kafka's group for 6 s. */
const arrivalLimitMs = 240_000;

let topicsMade = 0;

export async function open(stage: Stage, options: BrokerOptions = {}): Promise<Broker> {
  return await openBroker(stage.engine().address, options);
}

/** Makes a topic of the test's own. */
export async function newTopic(broker: Broker, partitions: number): Promise<string> {
  const name = `contract-${process.pid}-${++topicsMade}`;
  await broker.ensureTopic({ name, partitions, retentionMs: 3_600_000 });
  return name;
}

/** A group of the test's own: Kafka keeps the place of a member that was killed for 6 s. */
export function groupOf(...topics: string[]): string {
  return `group of ${topics.join(" ")}`;
}

export function textRecord(key: string, text: string): OutgoingRecord {
  return { key, value: new TextEncoder().encode(text), headers: {} };
}

export function textOf(record: IncomingRecord): string {
  return new TextDecoder().decode(record.value);
}

/** Keys that go to different partitions, one for each; in the order of the partitions. */
export async function keyOfEachPartition(broker: Broker, partitions: number): Promise<string[]> {
  const topic = await newTopic(broker, partitions);
  const keys = Array.from({ length: 40 * partitions }, (_, index) => `key ${index}`);
  const places = await broker.publish(
    topic,
    keys.map((key) => textRecord(key, "")),
  );
  return Array.from({ length: partitions }, (_, partition) => {
    const index = places.findIndex((place) => place.partition === partition);
    return keys[index] ?? `no key for partition ${partition}`;
  });
}

/** Calls `next` until `count` records have come. Throws with what has come when that takes too long. */
export async function read(
  subscription: Subscription,
  count: number,
  recordsMax = 1000,
): Promise<IncomingRecord[]> {
  const records: IncomingRecord[] = [];
  const giveUpAt = performance.now() + arrivalLimitMs;
  while (records.length < count) {
    if (performance.now() > giveUpAt) {
      throw new Error(`Only ${records.length} of ${count} records came`);
    }
    records.push(...(await subscription.next({ recordsMax, waitMs: 500 })));
  }
  return records;
}
