/**
 * Each numbered record is in the store once, in both kinds of store, out of both brokers, whichever process is killed,
 * whatever answer is lost, however many ingesters there are.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { Broker, OutgoingRecord } from "../../../lib/engines/broker/broker.ts";
import { openBroker } from "../../../lib/engines/broker/open.ts";
import { encodeReply } from "../../../lib/net/wire/reply-codec.ts";
import { repliesTopic } from "../../../lib/net/wire/target-header.ts";
import { startKafka } from "../../kafka/kafka.ts";
import type { KafkaProcess } from "../../kafka/kafka-process.ts";
import { longTest } from "../../run/long-test.ts";
import { inTier } from "../../run/tier.ts";
import { ClickHouseStandIn } from "./clickhouse-stand-in.ts";
import { Part, TestStore, untilRead } from "./processes.ts";
import { measurement, sampleReply } from "./samples.ts";

const limitMs = 120_000;
const dayNs = 86_400_000_000_000n;
const perRecord = 3;
const keys = 40;

let kafka: KafkaProcess;
let store: TestStore;
let standIn: ClickHouseStandIn;
let undo: AsyncDisposableStack;

beforeAll(async () => {
  kafka = await startKafka();
});
afterAll(() => kafka[Symbol.asyncDispose]());

beforeEach(async () => {
  undo = new AsyncDisposableStack();
  store = undo.use(await TestStore.start());
  standIn = undo.use(await ClickHouseStandIn.start(store));
});
afterEach(() => undo.disposeAsync());

/** Records of one writer; each third reply is of the day before, so that an insert has two parts. */
function records(first: number, count: number): OutgoingRecord[] {
  return Array.from({ length: count }, (_, r) => {
    const sequence = first + r;
    const messages = Array.from({ length: perRecord }, (_, i) => {
      const timeReceivedNs = sampleReply(0).timeReceivedNs - (i === 0 ? dayNs : 0n);
      return encodeReply(sampleReply(0, { agentId: "east", probeSrcPort: sequence, timeReceivedNs }));
    });
    const headers = {
      agent: "east",
      measurement_id: measurement,
      producer: "east",
      sequence: String(sequence),
    };
    return { key: `key-${sequence % keys}`, value: Buffer.concat(messages), headers };
  });
}

/** Rows, records, and records that have another number of rows than they should. */
async function stored(): Promise<readonly [rows: number, records: number, wrong: number]> {
  const [row] = await store.rows<{ rows: number; records: number; wrong: number }>(
    `SELECT toUInt32(sum(n)) AS rows, toUInt32(count()) AS records, toUInt32(countIf(n != ${perRecord})) AS wrong
    FROM (SELECT count() AS n FROM measure.replies GROUP BY probe_src_port)`,
  );
  return [row?.rows ?? 0, row?.records ?? 0, row?.wrong ?? 0];
}

const eachOnce = (count: number) => [count * perRecord, count, 0] as const;

type Kinds = readonly [store: "embedded" | "server", broker: "kafka" | "embedded"];

/** Each store and each broker once: what they share is tried with one of the other. */
const kinds: readonly Kinds[] = [
  ["embedded", "kafka"],
  ...inTier<readonly Kinds[]>({ usual: [], long: [["server", "embedded"]] }),
];

describe.each(kinds)("%s store, %s broker", (storeKind, brokerKind) => {
  let address: string;
  let broker: Broker;

  beforeEach(async () => {
    address = brokerKind === "kafka" ? `kafka:${kafka.server}` : `embedded:${store.below("broker")}`;
    broker = undo.use(await openBroker(address));
    await broker.ensureTopic({ name: repliesTopic, partitions: 16, retentionMs: 86_400_000 });
  });

  /** `journal`: its folder. */
  async function startIngester(journal = "ingest"): Promise<Part> {
    const places = [
      "--broker",
      address,
      "--store",
      standIn.address(storeKind),
      "--dir",
      store.below(journal),
    ];
    return undo.use(await Part.start("ingest", ...places, "--child"));
  }

  test("an ingester that is killed between an insert and its answer", async () => {
    await broker.publish(repliesTopic, records(1, 2000));
    const killed = Promise.withResolvers<void>();
    const first = await startIngester();
    standIn.onInserted = async () => {
      standIn.onInserted = () => false;
      await first.kill();
      killed.resolve();
      return true;
    };
    await broker.publish(repliesTopic, records(2001, 500));
    await killed.promise;
    // Neither its journal nor its token helps.
    await startIngester("ingest-elsewhere");
    await untilRead(broker);
    expect(await stored()).toEqual(eachOnce(2500));
  });

  test("answers that are lost after the insert was done, and the store restarted among them", async () => {
    let lost = 0;
    standIn.onInserted = () => lost++ % 2 === 0;
    await startIngester();
    for (let round = 0; round < 4; round++) {
      await broker.publish(repliesTopic, records(1 + round * 500, 500));
      await broker.publish(repliesTopic, records(1 + round * 500, 500));
      if (round === 1) {
        await store.kill();
        await store.restart();
      }
    }
    await untilRead(broker);
    expect(lost).toBeGreaterThan(1);
    expect(await stored()).toEqual(eachOnce(2000));
  });

  longTest("connections that break while the insert goes on", async () => {
    standIn.breaking = 2;
    await startIngester();
    await broker.publish(repliesTopic, records(1, 1500));
    await untilRead(broker);
    expect(await stored()).toEqual(eachOnce(1500));
    expect(standIn.refused).toBeGreaterThan(0);
  });

  // A group of an embedded log has one reader at a time.
  (brokerKind === "kafka" ? test : () => undefined)(
    "two ingesters that take partitions from each other, with batches on their way",
    async () => {
      // As slow as a busy server, so that inserts of both meet.
      standIn.onInserted = () => Bun.sleep(150).then(() => false);
      const first = await startIngester("first");
      await broker.publish(repliesTopic, records(1, 3000));
      await startIngester("second");
      await broker.publish(repliesTopic, records(3001, 3000));
      await Bun.sleep(1000);
      await first[Symbol.asyncDispose]();
      await broker.publish(repliesTopic, records(6001, 200));
      await untilRead(broker);
      expect(await stored()).toEqual(eachOnce(6200));
    },
    limitMs,
  );
});
