/** Campaigns that an ordered end or the kill switch interrupts lose no probe; by a crash: agent-killed.test.ts. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { probesTopic } from "../../lib/net/wire/target-header.ts";
import { AgentRig, probeRecord, probesTo } from "./agent-rig.ts";
import { Internet } from "./internet.ts";
import { interfaceTo } from "./routing.ts";
import { internet } from "./topology.ts";
import { WireWatch } from "./wire-watch.ts";

const rate = 10_000;
const recordCount = 20;
const recordProbes = 1000;
const firstPort = 20_000;

const prober = { interface: interfaceTo("eastAccess"), src_ipv4_prefix: "10.101.0.0/24", probing_rate: rate };

let net: Internet;
beforeAll(async () => {
  net = await Internet.start(internet);
});
afterAll(() => net.stop());

/** Each probe has a source port of its own; the first router answers all. */
function campaign() {
  return Array.from({ length: recordCount }, (_, i) => {
    const ports = Array.from({ length: recordProbes }, (_, j) => firstPort + i * recordProbes + j);
    const isLast = i === recordCount - 1;
    const notAfterMs = Date.now() + 600_000;
    const first = { measurementId: "campaign", firstProbe: i * recordProbes, notAfterMs };
    const header = { ...first, endOfMeasurement: isLast };
    return probeRecord("east", header, probesTo("203.0.113.10", { ports, ttls: [1] }));
  });
}

/** At the first router. */
function watchIn(folder: string): Promise<WireWatch> {
  return WireWatch.start({ net, folder, node: "eastAccess", neighbour: "east" });
}

const allPorts = Array.from({ length: recordCount * recordProbes }, (_, i) => firstPort + i);

test("ended by SIGTERM in the middle and started again, it loses neither a probe nor a reply, and repeats none", async () => {
  await using rig = await AgentRig.open(net);
  await using watch = await watchIn(rig.folder);
  const first = await rig.start("east", "east", { prober: [prober] });
  await rig.broker.publish(probesTopic, campaign());
  await watch.until(7000);
  expect(await first.stop()).toBe(0);
  const second = await rig.start("east", "east", { prober: [prober] });
  await rig.untilCommitted("east");
  expect(await second.stop()).toBe(0);
  const ports = await watch.ports();
  expect(ports.toSorted((a, b) => a - b)).toEqual(allPorts);
  const heard = await rig.replies(ports.length, 2000);
  expect(heard.length).toBe(ports.length);
  expect(new Set(heard.map(({ reply }) => reply.probeSrcPort)).size).toBe(allPorts.length);
  expect(heard.every(({ headers }) => headers.measurement_id === "campaign")).toBe(true);
});

test("the kill switch stops all sending, and lets it go on", async () => {
  await using rig = await AgentRig.open(net);
  const agent = await rig.start("east", "east", { prober: [{ ...prober, probing_rate: 2000 }] });
  const sent = () => rig.metric("east", "sender_sent_total");
  await rig.broker.publish(probesTopic, campaign());
  while ((await sent()) === 0) {
    await Bun.sleep(20);
  }
  agent.process.kill("SIGUSR2");
  await Bun.sleep(1500);
  const stoppedAt = await sent();
  expect(JSON.parse(await rig.get("east", "/health"))).toEqual({
    status: "degraded",
    reasons: ["the kill switch is on; nothing is sent"],
    holds: [{ by: "kill_switch", reason: "the kill switch is on" }],
  });
  await Bun.sleep(500);
  expect(await sent()).toBe(stoppedAt);
  expect(stoppedAt).toBeLessThan(recordCount * recordProbes);
  agent.process.kill("SIGUSR2");
  while ((await sent()) === stoppedAt) {
    await Bun.sleep(20);
  }
  expect(await agent.stop()).toBe(0);
});
