/** What an agent publishes again, because it never heard that the broker had it, is stored once, whatever is killed. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import type { Broker, OutgoingRecord, Topic } from "../../../lib/engines/broker/broker.ts";
import { openBroker } from "../../../lib/engines/broker/open.ts";
import { encodeReply } from "../../../lib/net/wire/reply-codec.ts";
import { repliesTopic } from "../../../lib/net/wire/target-header.ts";
import { longTest } from "../../run/long-test.ts";
import { Part, TestStore, untilRead } from "./processes.ts";
import { measurement, sampleReply } from "./samples.ts";

const dayNs = 86_400_000_000_000n;
const perRecord = 3;
const topic: Topic = { name: repliesTopic, partitions: 16, retentionMs: 86_400_000 };

let store: TestStore;
let broker: Broker;

beforeEach(async () => {
  store = await TestStore.start();
  broker = await openBroker(`embedded:${store.below("broker")}`);
  await broker.ensureTopic(topic);
});

afterEach(async () => {
  await broker[Symbol.asyncDispose]();
  await store[Symbol.asyncDispose]();
});

function startIngester(): Promise<Part> {
  const to = ["--broker", `embedded:${store.below("broker")}`, "--store", store.address];
  return Part.start("ingest", ...to, "--dir", store.below("ingest"), "--child");
}

/** The records of one writer from number `first` on; each third reply is of the day before. */
function numbered(producer: string, first: number, count: number): OutgoingRecord[] {
  return Array.from({ length: count }, (_, r) => {
    const messages = Array.from({ length: perRecord }, (_, i) => {
      const { timeReceivedNs } = sampleReply(0);
      const when = timeReceivedNs - (i === 0 ? dayNs : 0n);
      return encodeReply(
        sampleReply(0, { agentId: producer, probeSrcPort: first + r, timeReceivedNs: when }),
      );
    });
    const headers = { agent: producer, measurement_id: measurement, producer, sequence: String(first + r) };
    return { key: producer, value: Buffer.concat(messages), headers };
  });
}

/** Rows of each writer, and how many of its records have another number of them than they should. */
async function figures(): Promise<Record<string, readonly [rows: number, wrong: number]>> {
  const rows = await store.rows<{ agent: string; rows: number; wrong: number }>(
    `SELECT toString(agent_id) AS agent, toUInt32(sum(n)) AS rows, toUInt32(countIf(n != ${perRecord})) AS wrong
    FROM (SELECT agent_id, sequence, count() AS n FROM measure.replies GROUP BY ALL) GROUP BY agent`,
  );
  return Object.fromEntries(rows.map(({ agent, rows, wrong }) => [agent, [rows, wrong]]));
}

test("batches that come again, whole and in part, are stored once, over kills of the ingester, without its journal too", async () => {
  const batch = numbered("east", 1, 2000);
  await broker.publish(repliesTopic, batch);
  const first = await startIngester();
  await untilRead(broker);
  await first.kill();
  rmSync(store.below("ingest"), { recursive: true });
  await broker.publish(repliesTopic, batch);
  await broker.publish(repliesTopic, [...batch.slice(1500), ...numbered("east", 2001, 500)]);
  await broker.publish(repliesTopic, numbered("east-again", 1, 100));
  for (const waitMs of [0, 50, 120, 250]) {
    const ingester = await startIngester();
    await Bun.sleep(waitMs);
    await ingester.kill();
    await broker.publish(repliesTopic, batch.slice(-100));
  }
  await using _last = await startIngester();
  await untilRead(broker);
  expect(await figures()).toEqual({ east: [2500 * perRecord, 0], "east-again": [100 * perRecord, 0] });
});

longTest("kills of the store while batches come again: none is lost, none is doubled", async () => {
  await using _ingester = await startIngester();
  for (let round = 0; round < 3; round++) {
    const batch = numbered("west", 1 + round * 5000, 5000);
    await broker.publish(repliesTopic, batch);
    await broker.publish(repliesTopic, batch);
    await store.kill();
    await broker.publish(repliesTopic, batch.slice(2500));
    await store.restart();
  }
  await untilRead(broker);
  expect(await figures()).toEqual({ west: [15_000 * perRecord, 0] });
});

test("without numbers a record that is published twice is two", async () => {
  const [one] = numbered("old", 1, 1);
  const { agent = "", measurement_id = "" } = one?.headers ?? {};
  const plain = [{ key: "old", value: one?.value ?? new Uint8Array(0), headers: { agent, measurement_id } }];
  await broker.publish(repliesTopic, plain);
  await broker.publish(repliesTopic, plain);
  await using _ingester = await startIngester();
  await untilRead(broker);
  expect(await store.count("replies")).toBe(2 * perRecord);
});
