/**
 * A broker that has taken a batch, and whose answer is lost: the agent publishes the batch again, and the store takes
 * it once. The agent's outbox, spool and ring, both brokers, ingester and store are real; only answers are lost.
 */
import { expect, test } from "bun:test";
import { producerCounterNames } from "../../../apps/probing/agent/agent-counters.ts";
import { ByteRing } from "../../../apps/probing/agent/engine/byte-ring.ts";
import { Counters } from "../../../apps/probing/agent/engine/counters.ts";
import { MeasurementTable } from "../../../apps/probing/agent/measurement-table.ts";
import { BatchLedger } from "../../../apps/probing/agent/produce/batch-ledger.ts";
import { Outbox } from "../../../apps/probing/agent/produce/outbox.ts";
import { ReplySource } from "../../../apps/probing/agent/produce/reply-source.ts";
import { Spool } from "../../../apps/probing/agent/produce/spool.ts";
import { type Broker, BrokerError } from "../../../lib/engines/broker/broker.ts";
import { openBroker } from "../../../lib/engines/broker/open.ts";
import { repliesTopic } from "../../../lib/net/wire/target-header.ts";
import { writeReply } from "../../engine/reply-ring.ts";
import { startKafka } from "../../kafka/kafka.ts";
import { longTest } from "../../run/long-test.ts";
import { Part, TestStore } from "./processes.ts";
import { sampleReply } from "./samples.ts";

const batches = 6;
const batchReplies = 500;

/** Takes everything, and forgets to say so for every other batch. */
function forgetful(broker: Broker): { readonly broker: Broker; readonly forgotten: () => number } {
  let calls = 0;
  const publish: Broker["publish"] = async (topic, records) => {
    const places = await broker.publish(topic, records);
    calls++;
    if (calls % 2 === 1) {
      throw new BrokerError("unavailable", "the answer is lost");
    }
    return places;
  };
  const ensureTopic: Broker["ensureTopic"] = (topic) => broker.ensureTopic(topic);
  return { broker: { publish, ensureTopic } as Broker, forgotten: () => Math.ceil(calls / 2) };
}

/** Told apart by the port. */
function ringWith(replies: number): ByteRing {
  const ring = ByteRing.allocate(16 << 20);
  for (let i = 0; i < replies; i++) {
    writeReply(ring, sampleReply(0, { agentId: "east", probeSrcPort: i }));
  }
  return ring;
}

async function publishAll(broker: Broker, folder: string): Promise<void> {
  const counters = new Counters(producerCounterNames);
  const spool = new Spool(folder, 64 << 20);
  const outbox = new Outbox({ broker, topic: repliesTopic, spool, counters, onFailure: () => undefined });
  for (let i = 0; i < batches; i++) {
    const source = new ReplySource({
      ring: ringWith(batchReplies),
      ledger: new BatchLedger(new SharedArrayBuffer(BatchLedger.bytes)),
      batcher: {
        ...{
          agentId: "east",
          producer: `east-${i}`,
          senders: [],
          measurements: MeasurementTable.allocate(1),
        },
        ...{ repliesPerRecord: 7, recordBytesMax: 100_000 },
      },
      onTaken: () => undefined,
    });
    source.fill();
    expect(outbox.add(source.take())).toBe(true);
  }
  await outbox.run(() => outbox.isEmpty);
}

async function storeHasEachOnce(address: string, store: TestStore): Promise<void> {
  await using broker = await openBroker(address);
  const lossy = forgetful(broker);
  await publishAll(lossy.broker, store.below("spool"));
  expect(lossy.forgotten()).toBe(batches);
  const to = ["--broker", address, "--store", store.address, "--dir", store.below("ingest"), "--child"];
  await using _ingester = await Part.start("ingest", ...to);
  const isRead = async () =>
    (await broker.positions("vantage-store", repliesTopic)).every(({ committed, end }) => committed === end);
  while (!(await isRead())) {
    await Bun.sleep(50);
  }
  const records = await broker.positions("nobody", repliesTopic);
  const published = records.reduce((sum, { end }) => sum + Number(end), 0);
  // Twice in the broker, once in the store.
  expect(published).toBe(2 * batches * Math.ceil(batchReplies / 7));
  const [row] = await store.rows<object>(
    "SELECT toUInt32(count()) AS rows, toUInt32(uniqExact(producer, probe_src_port)) AS different FROM measure.replies",
  );
  expect(row).toEqual({ rows: batches * batchReplies, different: batches * batchReplies });
}

test("the embedded log", async () => {
  await using store = await TestStore.start();
  await storeHasEachOnce(`embedded:${store.below("broker")}`, store);
});

longTest("Kafka", async () => {
  await using kafka = await startKafka();
  await using store = await TestStore.start();
  await storeHasEachOnce(`kafka:${kafka.server}`, store);
});
