/**
 * The broker goes away in the middle of a campaign and comes back: every probe is sent, every reply arrives. The
 * outages are at the same time, each one at an agent of its own.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { probesTopic } from "../../lib/net/wire/target-header.ts";
import { ReadOnlyFolder } from "../contract/broker/read-only-folder.ts";
import { SmallDisk } from "../contract/broker/small-disk.ts";
import { startKafka } from "../kafka/kafka.ts";
import { makeLargeFolder } from "../run/large-folder.ts";
import { inTier } from "../run/tier.ts";
import { AgentRig, probeRecord, probesTo } from "./agent-rig.ts";
import { Internet } from "./internet.ts";
import { interfaceTo } from "./routing.ts";
import { internet } from "./topology.ts";

/** How long the broker stays away, once the agent has noticed. */
const outageMs = inTier({ usual: 6000, long: 20_000 });
const recordCount = 10;
const recordProbes = 1000;
/** Slow enough that much is left to send when an outage begins, also on a busy machine. */
const probingRate = 800;
const port = 18_081;
/** Room for the answers to half of a campaign. */
const spoolBytes = 1 << 20;
const icmpNumber = 1;

let net: Internet;
beforeAll(async () => {
  net = await Internet.start(internet);
});
afterAll(() => net.stop());

/** Echo requests, which no kernel limits the answers to; each with an identifier of its own. */
function campaign(dst: string, ttl: number, agentId = "east") {
  return Array.from({ length: recordCount }, (_, i) => {
    const ports = Array.from({ length: recordProbes }, (_, j) => 20_000 + i * recordProbes + j);
    return probeRecord(
      agentId,
      { measurementId: "m" },
      probesTo(dst, { ports, ttls: [ttl], protocol: "icmp" }),
    );
  });
}

async function untilMetric(
  rig: AgentRig,
  node: string,
  name: string,
  min: number,
  onPort?: number,
): Promise<void> {
  while ((await rig.metric(node, name, onPort)) < min) {
    await Bun.sleep(50);
  }
}

/** The agent's health once it names the reason. */
async function healthWith(rig: AgentRig, node: string, reason: string): Promise<string> {
  for (;;) {
    const health = JSON.parse(await rig.get(node, "/health"));
    if (health.reasons.includes(reason)) {
      return health.status;
    }
    await Bun.sleep(50);
  }
}

async function expectAll(rig: AgentRig): Promise<void> {
  const ids = new Set<number>();
  // Once each: a producer repeats what it does not know to be there. A reset of somebody's TCP connection proves 8 bits
  // of a tag, so one in 256 of them passes for an answer.
  await rig.replies(recordCount * recordProbes, 15_000, ({ reply }) => {
    const isNew = reply.replyProtocol === icmpNumber && !ids.has(reply.probeSrcPort);
    if (isNew) {
      ids.add(reply.probeSrcPort);
    }
    return isNew;
  });
  expect(ids.size).toBe(recordCount * recordProbes);
}

test.concurrent("the embedded log is full for a while: senders stop when the spool is full too, and go on", async () => {
  await using disk = await SmallDisk.mount(64);
  await using rig = await AgentRig.open(net, `embedded:${disk.folder}/broker`);
  const prober = {
    interface: interfaceTo("eastAccess"),
    src_ipv4_prefix: "10.101.0.0/24",
    probing_rate: probingRate,
  };
  const agent = await rig.start("east", "east", {
    agent: { spool_bytes_max: spoolBytes },
    prober: [prober],
  });
  await rig.broker.publish(probesTopic, campaign("203.0.113.10", 1));
  await untilMetric(rig, "east", "sender_sent_total", 500);
  await disk.fill();
  await untilMetric(rig, "east", "publish_failures_total", 1);
  expect(await healthWith(rig, "east", "the broker cannot be written to; replies wait on disk")).toBe(
    "degraded",
  );
  await untilMetric(rig, "east", "spool_full_total", 1);
  await Bun.sleep(outageMs / 2);
  const sent = await rig.metric("east", "sender_sent_total");
  await Bun.sleep(outageMs / 2);
  expect(await rig.metric("east", "sender_sent_total")).toBe(sent);
  expect(sent).toBeLessThan(recordCount * recordProbes);
  disk.empty();
  await untilMetric(rig, "east", "sender_sent_total", recordCount * recordProbes);
  await expectAll(rig);
  expect(await agent.stop()).toBe(0);
});

test.concurrent("the embedded log's folder is read-only for a while", async () => {
  // In memory, files that are open can be written to all the same.
  await using rig = await AgentRig.open(net, null, makeLargeFolder("vantage-agents-"));
  const prober = {
    interface: interfaceTo("westAccess"),
    src_ipv4_prefix: "10.102.0.0/24",
    probing_rate: probingRate,
  };
  const agent = await rig.start("west", "west", { prober: [prober] });
  await rig.broker.publish(probesTopic, campaign("203.0.113.10", 1, "west"));
  await untilMetric(rig, "west", "sender_sent_total", 500);
  {
    await using _readOnly = await ReadOnlyFolder.make(join(rig.folder, "broker"));
    await untilMetric(rig, "west", "publish_failures_total", 1);
    const reason = "the broker cannot be written to; replies wait on disk";
    expect(await healthWith(rig, "west", reason)).toBe("degraded");
    await Bun.sleep(outageMs);
  }
  await untilMetric(rig, "west", "sender_sent_total", recordCount * recordProbes);
  await expectAll(rig);
  expect(await agent.stop()).toBe(0);
});

test.concurrent("a real Kafka is stopped and started again", async () => {
  await using kafka = await startKafka();
  await using rig = await AgentRig.open(null, `kafka:${kafka.server}`);
  // The broker's own connections break on the same interface: packets that do not answer our probes must not count.
  const prober = {
    interface: "lo",
    src_ipv4_prefix: "127.0.0.0/8",
    probing_rate: probingRate,
    integrity_check: true,
  };
  const agent = await rig.start("", "east", { prober: [prober] }, port);
  await rig.broker.publish(probesTopic, campaign("127.0.0.1", 9));
  await untilMetric(rig, "", "sender_sent_total", 2000, port);
  await kafka.stop();
  await untilMetric(rig, "", "producer_away", 1, port);
  await Bun.sleep(outageMs);
  await kafka.startAgain();
  await untilMetric(rig, "", "sender_sent_total", recordCount * recordProbes, port);
  await expectAll(rig);
  expect(await agent.stop()).toBe(0);
});

test("a broker that was never reached makes the agent unhealthy, and does not keep it from ending", async () => {
  await using rig = await AgentRig.open(net);
  const prober = { dry_run: true, src_ipv4_prefix: "10.101.0.0/24" };
  const agent = await rig.start("east", "east", { prober: [prober], kafka: { brokers: "127.0.0.1:9" } });
  expect(await healthWith(rig, "east", "the broker cannot be read from")).toBe("unhealthy");
  expect(await agent.stop()).toBe(0);
});
