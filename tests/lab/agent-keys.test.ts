/** Keys of an agent's configuration that existing files use and other tests leave alone: each does what it says. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { IncomingRecord } from "../../lib/engines/broker/broker.ts";
import { probesTopic, repliesTopic } from "../../lib/net/wire/target-header.ts";
import { AgentRig, probeRecord, probesTo } from "./agent-rig.ts";
import { Internet } from "./internet.ts";
import { interfaceTo } from "./routing.ts";
import { internet } from "./topology.ts";

/** Bytes of a reply without labels, of an agent whose id has at most 7 letters. */
const replyBytes = 176;
const prober = { interface: interfaceTo("eastAccess"), src_ipv4_prefix: "10.101.0.0/24", probing_rate: 2000 };
const ports = Array.from({ length: 10 }, (_, i) => 24_000 + i);
const probes = probesTo("203.0.113.10", { ports, ttls: [1] });

let net: Internet;
beforeAll(async () => {
  net = await Internet.start(internet);
});
afterAll(() => net.stop());

/** All records of a topic, once they hold so many bytes. */
async function recordsOf(rig: AgentRig, topic: string, bytes: number): Promise<IncomingRecord[]> {
  await using subscription = await rig.broker.subscribe("test", [topic]);
  const records: IncomingRecord[] = [];
  while (records.reduce((sum, { value }) => sum + value.length, 0) < bytes) {
    records.push(...(await subscription.next({ recordsMax: 1000, waitMs: 100 })));
  }
  return records;
}

test("packets, rate_limiting_method, batch_size, in_topics, in_group_id, out_topic, the size of records, allowlist_file", async () => {
  await using rig = await AgentRig.open(net);
  const topics = ["probes-a", "probes-b"] as const;
  for (const name of [...topics, "answers"]) {
    await rig.broker.ensureTopic({ name, partitions: 2, retentionMs: 3_600_000 });
  }
  const allowlist = join(rig.folder, "allowlist");
  writeFileSync(allowlist, "203.0.113.0/24\n");
  const agent = await rig.start("east", "east", {
    agent: { allowlist_file: allowlist },
    prober: [{ ...prober, packets: 3, rate_limiting_method: "active", batch_size: 2 }],
    kafka: {
      in_topics: topics.join(", "),
      in_group_id: "of-our-own",
      out_topic: "answers",
      out_batch_wait_interval: 200,
      replies_per_record: 100,
      message_max_bytes: 2000,
    },
  });
  const elsewhere = probesTo("198.51.100.10", { ports: [1, 2], ttls: [1] });
  await rig.broker.publish(topics[0], [probeRecord("east", { measurementId: "a" }, probes)]);
  await rig.broker.publish(topics[1], [
    probeRecord("east", { measurementId: "b" }, [...probes, ...elsewhere]),
  ]);
  const records = await recordsOf(rig, "answers", 2 * 3 * probes.length * replyBytes);
  const replies = records.map(({ value }) => value.length / replyBytes);
  expect(Math.max(...replies)).toBeGreaterThan(1);
  // Of 2000 bytes, 1024 are kept for key and headers.
  expect(Math.max(...replies)).toBeLessThanOrEqual(5);
  expect(await rig.metric("east", "sender_sent_total")).toBe(60);
  expect(await rig.metric("east", "probes_blocked_total")).toBe(2);
  expect(await agent.stop()).toBe(0);
  for (const topic of topics) {
    const positions = await rig.broker.positions("of-our-own", topic);
    expect(positions.map(({ committed, end }) => end - committed)).toEqual([0n, 0n]);
  }
});

test("out_enable: false publishes nothing, and counts what it would have", async () => {
  await using rig = await AgentRig.open(net);
  const agent = await rig.start("east", "east", {
    prober: [{ ...prober, rate_limiting_method: "none" }],
    kafka: { out_enable: false },
  });
  await rig.broker.publish(probesTopic, [probeRecord("east", { measurementId: "m" }, probes)]);
  while ((await rig.metric("east", "replies_discarded_total")) < probes.length) {
    await Bun.sleep(20);
  }
  expect(await agent.stop()).toBe(0);
  const positions = await rig.broker.positions("nobody", repliesTopic);
  expect(positions.every(({ end }) => end === 0n)).toBe(true);
});
