/**
 * `vantage client` against a real Kafka: the same records, and progress by the offsets that a group commits.
 *
 * @alone: it starts Kafka
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { openBroker } from "../../../lib/engines/broker/open.ts";
import { agentGroup } from "../../../lib/net/wire/target-header.ts";
import { startKafka } from "../../kafka/kafka.ts";
import type { KafkaProcess } from "../../kafka/kafka-process.ts";
import { ClientPlace, probeLines, topic } from "./client-process.ts";

let kafka: KafkaProcess;

beforeAll(async () => {
  kafka = await startKafka();
});

afterAll(async () => {
  await kafka[Symbol.asyncDispose]();
});

test.concurrent("records arrive whole and in order, and the client sees them taken", async () => {
  await using place = new ClientPlace();
  place.file("client.yaml", `kafka: { brokers: "${kafka.server}" }`);
  const lines = place.file("p.csv", probeLines(30_000));
  const child = place.start(["--wait", "-o", "json", "-p", lines, "west,west:192.0.2.1"]);
  await using broker = await openBroker(`kafka:${kafka.server}`);
  await broker.ensureTopic({ name: topic, partitions: 16, retentionMs: 3_600_000 });
  await using subscription = await broker.subscribe(agentGroup("west"), [topic]);
  const firstProbes = new Map<string, number[]>([
    ["", []],
    ["192.0.2.1", []],
  ]);
  for (let records = 0; records < 60; ) {
    for (const { partition, offset, headers, value } of await subscription.next({
      recordsMax: 100,
      waitMs: 1000,
    })) {
      const { src_ip, first_probe } = JSON.parse(headers.west ?? "");
      firstProbes.get(src_ip)?.push(first_probe);
      expect(value.length).toBe(48_000);
      await subscription.commit(topic, partition, offset + 1n);
      records++;
    }
  }
  const expected = Array.from({ length: 30 }, (_, i) => 1000 * i);
  expect([...firstProbes.values()]).toEqual([expected, expected]);
  const { exitCode, stdout } = await place.endOf(child);
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    outcome: "finished",
    agents: [{ agent: "west", probes: 60_000, taken_probes: 60_000 }],
  });
});

test.concurrent("a broker that is not there is one line, and nothing hangs", async () => {
  await using place = new ClientPlace();
  place.file("client.yaml", 'kafka: { brokers: "127.0.0.1:1" }');
  const { exitCode, stdout, stderr } = await place.run(["west"], probeLines(1));
  expect([exitCode, stdout, stderr.length]).toEqual([1, "", 1]);
  expect(stderr[0]).toMatch(/^vantage client: .*127\.0\.0\.1:1/);
});
