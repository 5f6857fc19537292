import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Broker, OutgoingRecord } from "../../../../lib/engines/broker/broker.ts";
import { awayBroker } from "../../../../tests/run/away-broker.ts";
import { producerCounterNames } from "../agent-counters.ts";
import { Counters } from "../engine/counters.ts";
import { MeasurementNumbers, MeasurementTable } from "../measurement-table.ts";
import { Outbox } from "./outbox.ts";
import { type Batch, ReplyBatcher } from "./reply-batcher.ts";
import { Spool } from "./spool.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "vantage-outbox-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const batchOf = (name: string, bytes = 10): Batch => ({
  records: [{ key: name, value: new Uint8Array(bytes).fill(7), headers: { agent: "a", name } }],
  replies: 2,
  bytes,
});

function outboxWith(broker: Broker, bytesMax = 1 << 20) {
  const counters = new Counters(producerCounterNames);
  const spool = new Spool(folder, bytesMax);
  return {
    counters,
    outbox: new Outbox({ broker, topic: "r", spool, counters, onFailure: () => undefined }),
  };
}

const keysOf = (records: readonly OutgoingRecord[]) => records.map(({ key }) => key);

test("what the broker does not take goes to disk, and is published whole when it is back", async () => {
  const { broker, published, state } = awayBroker();
  const { outbox, counters } = outboxWith(broker);
  outbox.add(batchOf("one"));
  const running = outbox.run(() => outbox.isEmpty);
  while (counters.get("producer_away") === 0) {
    await Bun.sleep(1);
  }
  outbox.add(batchOf("two"));
  expect(readdirSync(folder)).toHaveLength(2);
  state.isAway = false;
  await running;
  expect(keysOf(published)).toEqual(["one", "two"]);
  expect(published).toEqual([...batchOf("one").records, ...batchOf("two").records]);
  expect(readdirSync(folder)).toEqual([]);
  expect([
    counters.get("replies_published"),
    counters.get("producer_away"),
    counters.get("spool_bytes"),
  ]).toEqual([4, 0, 0]);
});

test("what an earlier run left on disk is published first", async () => {
  const left = new Spool(folder, 1 << 20);
  left.add(batchOf("left"));
  const { broker, published, state } = awayBroker();
  state.isAway = false;
  const { outbox } = outboxWith(broker);
  await outbox.run(() => outbox.isEmpty);
  expect(keysOf(published)).toEqual(["left"]);
});

test("a full spool refuses, and takes again when there is room", async () => {
  const { broker, state } = awayBroker();
  const { outbox, counters } = outboxWith(broker, 2000);
  outbox.add(batchOf("one", 1000));
  const running = outbox.run(() => outbox.isEmpty);
  while (counters.get("producer_away") === 0) {
    await Bun.sleep(1);
  }
  expect([outbox.add(batchOf("two", 1000)), outbox.add(batchOf("three", 500))]).toEqual([false, true]);
  state.isAway = false;
  await running;
  expect(outbox.add(batchOf("two", 1000))).toBe(true);
});

test("at a forced end, everything in memory is saved", () => {
  const { broker } = awayBroker();
  const { outbox } = outboxWith(broker);
  outbox.add(batchOf("one"));
  outbox.add(batchOf("two"));
  expect(outbox.rescue()).toBe(true);
  expect(readdirSync(folder)).toHaveLength(2);
});

test("replies of one measurement share a record up to its limits, and no record holds two measurements", () => {
  const measurements = MeasurementTable.allocate(8);
  const numbers = new MeasurementNumbers(measurements);
  const [one = 0, two = 0] = [numbers.numberOf("one", 0) ?? 0, numbers.numberOf("two", 0) ?? 0];
  const senders = [
    { agentId: "a", instanceId: 9 },
    { agentId: "peer", instanceId: 3 },
  ];
  const source = Buffer.alloc(4096);
  const own = { agentId: "a", producer: "p", firstNumber: 7 };
  const config = { source, ...own, senders, measurements, repliesPerRecord: 2, recordBytesMax: 4096 };
  const batcher = new ReplyBatcher(config);
  const add = (measurement: number, sender: number, byte: number, bytes = 8) => {
    source.fill(0).fill(byte, 100, 100 + bytes);
    batcher.add(measurement, sender, 100, 100 + bytes);
  };
  add(one, 0, 1);
  add(two, 0, 2);
  add(one, 0, 3);
  add(one, 0, 4, 3000);
  add(one, 0, 5, 3000);
  add(-1, 1, 6);
  add(-1, -1, 7);
  const { records, replies } = batcher.take();
  const of = (sequence: number, more: object) => ({
    agent: "a",
    producer: "p",
    sequence: `${sequence}`,
    ...more,
  });
  const ours = { probe_agent: "a", probe_instance: "9" };
  // Full ones first, then the rest by their first reply: the same replies always make the same records.
  expect(records.map(({ value, headers }) => [new Set(value), headers])).toEqual([
    [new Set([1, 3]), of(7, { measurement_id: "one", ...ours })],
    [new Set([4]), of(8, { measurement_id: "one", ...ours })],
    [new Set([5]), of(9, { measurement_id: "one", ...ours })],
    [new Set([2]), of(10, { measurement_id: "two", ...ours })],
    [new Set([6]), of(11, { probe_agent: "peer", probe_instance: "3" })],
    [new Set([7]), of(12, {})],
  ]);
  expect([replies, batcher.unattributed, batcher.isEmpty, batcher.nextNumber]).toEqual([7, 2, true, 13]);
});
