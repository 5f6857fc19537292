/** From the broker to the store: all of it, once, whatever is killed on the way; bad messages are set aside. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { ReplyFeed } from "../../../apps/probing/ingester/feed.ts";
import { Ingester } from "../../../apps/probing/ingester/ingester.ts";
import { Journal } from "../../../apps/probing/ingester/journal.ts";
import { StoreLink } from "../../../apps/probing/ingester/store-link.ts";
import type { Broker, OutgoingRecord, Topic } from "../../../lib/engines/broker/broker.ts";
import { openBroker } from "../../../lib/engines/broker/open.ts";
import { encodeProbes } from "../../../lib/net/wire/probe-codec.ts";
import { encodeReply } from "../../../lib/net/wire/reply-codec.ts";
import { encodeTargetHeader, probesTopic, repliesTopic } from "../../../lib/net/wire/target-header.ts";
import { longTest } from "../../run/long-test.ts";
import { failingCommits } from "./failing-commits.ts";
import { Part, TestStore, untilRead } from "./processes.ts";
import { measurement, sampleProbe, sampleReply } from "./samples.ts";

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

/** `count` replies from number `first` on, `perRecord` in each record, spread over the partitions. */
function records(first: number, count: number, perRecord = 1): OutgoingRecord[] {
  const headers = {
    agent: "agent-1",
    measurement_id: measurement,
    probe_agent: "agent-1",
    probe_instance: "0",
  };
  return Array.from({ length: Math.ceil(count / perRecord) }, (_, r) => {
    const messages = Array.from({ length: perRecord }, (_, i) =>
      encodeReply(numbered(first + r * perRecord + i)),
    );
    return { key: `key-${r % 40}`, value: Buffer.concat(messages), headers };
  });
}

/** A unique reply, by source port and size. */
function numbered(i: number) {
  return sampleReply(i, { probeSrcPort: i & 0xffff, probeSize: i >> 16 });
}

async function untilStored(different: number): Promise<void> {
  for (let seen = -1; seen < different; seen = (await figures()).different) {
    await Bun.sleep(50);
  }
}

async function figures(): Promise<{ rows: number; different: number }> {
  const [row] = await store.rows<{ rows: number; different: number }>(
    `SELECT toUInt32(count()) AS rows, toUInt32(uniqExact(probe_src_port, probe_size)) AS different
    FROM measure.replies`,
  );
  return row ?? { rows: 0, different: 0 };
}

test("replies and probes that were published before and while it runs are stored once", async () => {
  await broker.publish(repliesTopic, records(0, 5000));
  await using _ingester = await startIngester();
  await broker.publish(repliesTopic, records(5000, 3000, 50));
  const header = {
    srcIp: "",
    measurementId: measurement,
    endOfMeasurement: true,
    firstProbe: 7,
    notAfterMs: null,
  };
  await broker.publish(probesTopic, [
    {
      key: measurement,
      value: encodeProbes([sampleProbe(0), sampleProbe(1)]),
      headers: { "agent-1": encodeTargetHeader(header) },
    },
  ]);
  await untilStored(8000);
  expect(await figures()).toEqual({ rows: 8000, different: 8000 });
  while ((await store.count("probes")) < 2) {
    await Bun.sleep(50);
  }
  expect(await store.rows<object>("SELECT probe_index AS i FROM measure.probes ORDER BY i")).toEqual([
    { i: 7 },
    { i: 8 },
  ]);
  for (const group of ["vantage-store", "vantage-store-probes"]) {
    const name = group === "vantage-store" ? repliesTopic : probesTopic;
    // Rows are there a moment before their records are committed.
    while ((await broker.positions(group, name)).some(({ committed, end }) => committed !== end)) {
      await Bun.sleep(50);
    }
  }
});

test("bad messages are set aside with reason and place; the good ones beside them are stored", async () => {
  const good = encodeReply(numbered(1));
  const record = (value: Uint8Array, headers: Record<string, string> = {}) => ({
    key: "one",
    value,
    headers,
  });
  const wrongPointer = encodeReply(numbered(2));
  wrongPointer[56] = 0xff;
  const text = new TextEncoder().encode("this is not a reply at all, and long enough");
  await broker.publish(repliesTopic, [
    record(text),
    record(Buffer.concat([good, wrongPointer, encodeReply(numbered(3))])),
    record(good.slice(0, 100)),
    record(new Uint8Array(0)),
    record(encodeReply({ ...numbered(4), timeReceivedNs: 1n })),
    record(good, { measurement_id: "x".repeat(300) }),
    record(Buffer.concat([new Uint8Array(70_000).fill(0xff)])),
    record(encodeReply(numbered(5))),
  ]);
  await using _ingester = await startIngester();
  await untilStored(3);
  while ((await store.count("replies_rejected")) < 7) {
    await Bun.sleep(50);
  }
  expect(await figures()).toEqual({ rows: 3, different: 3 });
  const rejected = await store.rows<object>(
    `SELECT topic, toUInt32(record_offset) AS at, reason, toUInt32(length(raw_message)) AS bytes
      FROM measure.replies_rejected ORDER BY record_offset`,
  );
  const line = (at: number, reason: string, bytes: number) => ({ topic: repliesTopic, at, reason, bytes });
  expect(rejected).toEqual([
    line(0, "segmentCount", text.length),
    line(1, "pointerKind", wrongPointer.length),
    line(2, "truncated", 100),
    line(3, "truncated", 0),
    line(4, "timeReceived", good.length),
    line(5, "header", good.length),
    line(6, "segmentCount", 65_536),
  ]);
});

test("kill -9 of the store while replies come: none is lost, none is doubled", async () => {
  await using ingester = await startIngester();
  for (let round = 0; round < 3; round++) {
    const publishing = broker.publish(repliesTopic, records(round * 40_000, 40_000, 20));
    await untilStored(round * 40_000 + 1);
    await store.kill();
    await publishing;
    await store.restart();
  }
  await untilStored(120_000);
  expect(await figures()).toEqual({ rows: 120_000, different: 120_000 });
  expect(ingester.process.exitCode).toBeNull();
});

longTest("kill -9 of the ingester at any moment: none is lost, none is doubled", async () => {
  await broker.publish(repliesTopic, records(0, 200_000, 20));
  for (const waitMs of [0, 60, 150, 300, 450]) {
    const ingester = await startIngester();
    await Bun.sleep(waitMs);
    await ingester.kill();
    await broker.publish(repliesTopic, records(200_000 + waitMs * 20, 20, 20));
  }
  await using _ingester = await startIngester();
  await untilStored(200_100);
  expect(await figures()).toEqual({ rows: 200_100, different: 200_100 });
});

test("killed while its store is away, it has committed nothing that is not stored", async () => {
  const first = await startIngester();
  await broker.publish(repliesTopic, records(0, 500));
  await untilStored(500);
  await store.kill();
  const journal = new Journal(store.below("ingest/replies.journal"));
  const last = journal.read()?.token;
  await broker.publish(repliesTopic, records(500, 500));
  while (journal.read()?.token === last) {
    await Bun.sleep(10);
  }
  await first.kill();
  await store.restart();
  await using _second = await startIngester();
  await untilStored(1000);
  expect(await figures()).toEqual({ rows: 1000, different: 1000 });
});

/** Runs an ingester in this process until it fails, or `until` resolves. */
async function ingest(through: Broker, until?: () => Promise<void>): Promise<unknown> {
  const stop = new AbortController();
  await using link = new StoreLink(store.address, stop.signal, () => undefined);
  const journal = new Journal(store.below("journal"));
  const job = { broker: through, topic, group: "vantage-store", feed: new ReplyFeed(), journal, store: link };
  const running = new Ingester({ ...job, signal: stop.signal }).run().catch((error: unknown) => error);
  until?.().then(() => stop.abort());
  return await running;
}

test.each([
  ["before any commit", 0, 3000],
  ["among the commits", 5, 3000],
])(
  "an ingester that dies %s after an insert doubles nothing, though the next one finds more records",
  async (_, commits, rows) => {
    await broker.publish(repliesTopic, records(0, rows));
    const failure = await ingest(failingCommits(broker, commits));
    expect(failure).toMatchObject({ code: "refused" });
    const inserted = await figures();
    // On a busy machine the first insert may begin before the last record can be read.
    expect(inserted.rows).toBeGreaterThan(0);
    expect(inserted).toEqual({ rows: inserted.rows, different: inserted.rows });
    await broker.publish(repliesTopic, records(rows, rows));
    await ingest(broker, () => untilStored(2 * rows));
    expect(await figures()).toEqual({ rows: 2 * rows, different: 2 * rows });
  },
);

test("an ingester whose broker is away while it commits goes on when that is back", async () => {
  await broker.publish(repliesTopic, records(0, 1000));
  const away = failingCommits(broker, 1, { code: "unavailable", count: 3 });
  await ingest(away, () => untilStored(1000).then(() => untilRead(broker)));
  expect(await figures()).toEqual({ rows: 1000, different: 1000 });
});

longTest(
  "without its journal the last batch would be doubled: it is the journal that prevents it",
  async () => {
    await broker.publish(repliesTopic, records(0, 1000));
    await ingest(failingCommits(broker, 0));
    rmSync(store.below("journal"));
    await broker.publish(repliesTopic, records(1000, 1000));
    await ingest(broker, () => untilStored(2000));
    expect(await figures()).toEqual({ rows: 3000, different: 2000 });
  },
);

test("a store of another version is not written to", async () => {
  await store.command("ALTER TABLE measure.migrations DELETE WHERE version = 6 SETTINGS mutations_sync = 1");
  const failure = await ingest(broker);
  expect(failure).toMatchObject({ code: "version" });
});
