import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { probeBytes } from "../../../../ffi/hotpath/memory-layout.ts";
import { address } from "../../../../lib/net/ip/address.ts";
import { sampleReply } from "../../../../tests/contract/store/samples.ts";
import { writeReply } from "../../../../tests/engine/reply-ring.ts";
import { ByteRing } from "../engine/byte-ring.ts";
import { MeasurementBoard } from "../engine/measurement-board.ts";
import { ProbeQueue } from "../engine/probe-queue.ts";
import { keptNames } from "../engine/shared-memory.ts";
import { MeasurementNumbers, MeasurementTable } from "../measurement-table.ts";
import { BatchLedger } from "../produce/batch-ledger.ts";
import type { Batch } from "../produce/reply-batcher.ts";
import { ReplySource } from "../produce/reply-source.ts";
import { Spool } from "../produce/spool.ts";
import { KeptMemory } from "./kept-memory.ts";
import { type RecoveredReplies, recoverReplies } from "./recover-replies.ts";
import { sentProbesOf } from "./sent-probes.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "vantage-keep-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const ringBytes = 100_000;
const life = {
  ...{ agentId: "east", senders: [{ agentId: "east", instanceId: 4 }], repliesPerRecord: 3 },
  ...{ recordBytesMax: 100_000, receivers: [{ interfaceName: "eth0", producer: "abc" }], instances: [4] },
};

/** A running agent's parts; to "kill" it, the test just abandons them. */
function run() {
  const memory = new KeptMemory(folder, "east");
  const ring = ByteRing.allocate(ringBytes, keptNames.replies("eth0"), memory.make);
  const ledger = new BatchLedger(memory.make(keptNames.ledger("eth0"), BatchLedger.bytes));
  const table = MeasurementTable.allocate(64, memory.make);
  const numbers = new MeasurementNumbers(table, 0);
  const board = MeasurementBoard.allocate(64, memory.make);
  memory.begin(life);
  const batcher = { ...life, producer: "abc", measurements: table };
  const source = new ReplySource({
    ring,
    ledger,
    batcher,
    onTaken: (measurement, count) => board.add(measurement, "replied", count),
  });
  return { memory, ring, numbers, source, board };
}

function rescued(): RecoveredReplies & { readonly batches: Batch[] } {
  const spool = new Spool(join(folder, "spool"), 0);
  const found = recoverReplies(new KeptMemory(folder, "east"), spool);
  const batches: Batch[] = [];
  for (let batch = spool.oldest(); batch !== null; batch = spool.oldest()) {
    batches.push(batch);
    spool.removeOldest();
  }
  return { ...found, batches };
}

const recordsOf = (batch: Batch | undefined) =>
  batch?.records.map(({ key, value, headers }) => ({ key, value: value.toHex(), headers }));
const sequencesOf = (batches: readonly Batch[]) =>
  batches.flatMap(({ records }) => records.map(({ headers }) => Number(headers.sequence)));

test("memory is in its file while the process lives, and after kill -9", async () => {
  const script = `
    const { keptMemory } = await import(${JSON.stringify(join(import.meta.dirname, "../../../../ffi/kept-memory.ts"))});
    const words = new Int32Array(keptMemory(${JSON.stringify(join(folder, "m"))}, 100_000, new Uint8Array([7])));
    words[1] = 42;
    process.kill(process.pid, "SIGKILL");`;
  const child = Bun.spawn([process.execPath, "-e", script]);
  await child.exited;
  const file = readFileSync(join(folder, "m"));
  expect<unknown>([child.signalCode, file.length, file.readInt32LE(0), file.readInt32LE(4)]).toEqual([
    ...["SIGKILL", 131_072, 7, 42],
  ]);
});

test("batches that were not safe are made again, the same, and the rest continues with the next number", () => {
  const { ring, numbers, source, board } = run();
  const [one = 0, two = 0] = [numbers.numberOf("one", 0) ?? 0, numbers.numberOf("two", 0) ?? 0];
  for (const number of [one, two]) {
    board.open(number);
  }
  let port = 0;
  const write = (count: number) => {
    for (let i = 0; i < count; i++) {
      writeReply(ring, sampleReply(0, { probeSrcPort: port++ }), i % 3 === 0 ? two : one, 0);
    }
  };
  const take = (count: number) => {
    write(count);
    source.fill();
    return source.take();
  };
  const safe = take(100);
  // The journal has the counts until now.
  [one, two].map((number) => board.take(number));
  const [second, third] = [take(50), take(7)];
  safe.onSafe?.();
  safe.onSafe?.();
  // In a batch, but that is not handed over yet; and in no batch.
  write(5);
  source.fill();
  write(8);
  const { replies, counts, batches } = rescued();
  expect(replies).toBe(70);
  expect(counts.reduce((sum, { replied }) => sum + replied, 0)).toBe(70);
  expect(recordsOf(batches[0])).toEqual(recordsOf(second));
  expect(recordsOf(batches[1])).toEqual(recordsOf(third));
  const first = safe.records.length + 1;
  expect(sequencesOf(batches)).toEqual(sequencesOf(batches).map((_, i) => first + i));
  expect(batches.reduce((sum, batch) => sum + batch.replies, 0)).toBe(70);
  expect(
    new Set(batches.flatMap(({ records }) => records.map(({ headers }) => headers.measurement_id))),
  ).toEqual(new Set(["one", "two"]));
});

test("a ring that has gone round many times is cut where it was cut", () => {
  const { ring, source } = run();
  const waiting: Batch[] = [];
  for (let i = 0; i < 400; i++) {
    for (let j = 0; j < 5; j++) {
      writeReply(ring, sampleReply(0, { probeSrcPort: (5 * i + j) % 60_000 }));
    }
    source.fill();
    waiting.push(source.take());
    if (waiting.length > 4) {
      waiting.shift()?.onSafe?.();
    }
  }
  const { batches } = rescued();
  expect(batches.map(recordsOf)).toEqual(waiting.map(recordsOf));
});

test.each([
  ["another boot", { bootId: "another" }],
  ["another layout", { version: 0 }],
  ["another agent", { agentId: "west" }],
])("what %s left is passed over", (_, changed) => {
  const { ring } = run();
  writeReply(ring, sampleReply(0));
  const path = join(folder, "memory/life.json");
  writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, "utf8")), ...changed }));
  expect(rescued()).toEqual({ replies: 0, counts: [], batches: [] });
});

test("what was taken off a probe ring has left, what was not has not, by measurement and list", () => {
  const { memory, numbers } = run();
  const number = numbers.numberOf("long", 0) ?? 0;
  const queue = ProbeQueue.allocate(keptNames.probes(4), memory.make);
  const ring = new ByteRing(queue.buffer);
  const probe = { dst: address("192.0.2.1"), srcPort: 1, dstPort: 2, ttl: 3, protocol: "udp" } as const;
  const put = (measurement: number, index: number, list: number) =>
    queue.put(probe, { src: address("192.0.2.2"), measurement, index, list });
  const lists = () => sentProbesOf(new KeptMemory(folder, "east"));
  for (let index = 100; index < 200; index++) {
    put(number, index, 1);
    put(0, index, 1);
    put(number, 1000 + index, 2);
  }
  expect(lists()).toEqual([]);
  ring.advance(150 * probeBytes);
  const left = (list: number, from: number, to: number) => ({ measurementId: "long", list, from, to });
  expect(lists().toSorted((a, b) => a.list - b.list)).toEqual([left(1, 100, 150), left(2, 1100, 1150)]);
  ring.advance(150 * probeBytes);
  expect(lists().toSorted((a, b) => a.list - b.list)).toEqual([left(1, 100, 200), left(2, 1100, 1200)]);
});

test("measurements keep their numbers, and others get places that are free", () => {
  const before = run().numbers;
  const [one, two] = [before.numberOf("one", 0), before.numberOf("two", 0)];
  const after = run().numbers;
  expect([after.numberOf("two", 0), after.numberOf("one", 0)]).toEqual([two, one]);
  expect(new Set([one, two, after.numberOf("three", 0)]).size).toBe(3);
});
