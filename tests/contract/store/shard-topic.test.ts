/** The ingester of a shard takes replies of its own topic; another one's stay for that. */
import { expect, test } from "bun:test";
import { waitingRecords } from "../../../lib/engines/broker/ingest-feeds.ts";
import { openBroker } from "../../../lib/engines/broker/open.ts";
import { encodeReply } from "../../../lib/net/wire/reply-codec.ts";
import { repliesTopic } from "../../../lib/net/wire/target-header.ts";
import { Part, TestStore } from "./processes.ts";
import { sampleReply } from "./samples.ts";

function records(count: number) {
  return Array.from({ length: count }, (_, n) => ({
    key: `key-${n}`,
    value: encodeReply(sampleReply(n)),
    headers: {},
  }));
}

test("replies of one topic are stored, those of the other wait", async () => {
  await using store = await TestStore.start();
  const address = `embedded:${store.below("broker")}`;
  await using broker = await openBroker(address);
  const own = `${repliesTopic}-2`;
  for (const name of [repliesTopic, own]) {
    await broker.ensureTopic({ name, partitions: 4, retentionMs: 86_400_000 });
  }
  await broker.publish(repliesTopic, records(300));
  await broker.publish(own, records(500));
  const places = ["--broker", address, "--store", store.address, "--dir", store.below("ingest")];
  await using _ingester = await Part.start("ingest", ...places, "--replies-topic", own, "--child");
  while ((await waitingRecords(broker, "replies", own)) > 0) {
    await Bun.sleep(50);
  }
  expect(await store.count("replies")).toBe(500);
  expect(await waitingRecords(broker, "replies")).toBe(300);
});
