/** A flood to one address, played on the wire: what leaves an agent keeps to the rate, over all of its instances. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { probesTopic } from "../../lib/net/wire/target-header.ts";
import { AgentRig, probeRecord, probesTo } from "./agent-rig.ts";
import { Internet } from "./internet.ts";
import { interfaceTo } from "./routing.ts";
import { internet } from "./topology.ts";
import { WireWatch } from "./wire-watch.ts";

const lookMs = 4000;
const uplink = { interface: interfaceTo("eastAccess"), probing_rate: 5000 };
/** Two instances, each of which alone would be fast enough. */
const prober = [
  { ...uplink, name: "one", instance_id: 1, src_ipv4_prefix: "10.101.0.0/25" },
  { ...uplink, name: "two", instance_id: 2, src_ipv4_prefix: "10.101.0.128/25" },
];
const sources = ["10.101.0.7", "10.101.0.130"];
const ports = Array.from({ length: 1000 }, (_, i) => 20_000 + i);
const victim = "203.0.113.10";

let net: Internet;
beforeAll(async () => {
  net = await Internet.start(internet);
});
afterAll(() => net.stop());

test.each([
  ["by the agent's own limit", 100, null],
  [
    "by the gateway's share",
    20,
    { user: "somebody", userAddress: 20, address: 200, network: 1000, agents: 1, knownAtMs: 0 },
  ],
] as const)("%s, an address gets %d packets a second, and others are not held up", async (_, rate, share) => {
  await using rig = await AgentRig.open(net);
  await using watch = await WireWatch.start({
    ...{ net, folder: rig.folder, node: "eastAccess", neighbour: "east" },
  });
  const agent = await rig.start("east", "east", {
    agent: { address_rate: share === null ? rate : 0, network_rate: 0 },
    prober,
  });
  const startedAtMs = performance.now();
  for (const srcIp of sources) {
    const flood = probeRecord("east", { srcIp, share }, probesTo(victim, { ports, ttls: [1] }));
    await rig.broker.publish(probesTopic, [flood]);
  }
  // In the same partition: it is read while the flood waits.
  const others = probesTo("198.51.100.1", { ports: [1, 2, 3, 4, 5], ttls: [1] });
  await rig.broker.publish(probesTopic, [probeRecord("east", { srcIp: sources[0] ?? "" }, others)]);
  while (watch.count < rate * 2 + others.length) {
    await Bun.sleep(lookMs);
  }
  // This ends the watch, so it comes once.
  const seen = await watch.ports();
  const seconds = (performance.now() - startedAtMs) / 1000;
  const toVictim = seen.filter((port) => port >= 20_000).length;
  const toOthers = seen.filter((port) => port < 20_000);
  expect(toVictim).toBeLessThanOrEqual(rate * (seconds + 2));
  expect(toOthers.sort()).toEqual([1, 2, 3, 4, 5]);
  expect(await rig.metric("east", "probes_held_total")).toBeGreaterThan(1000);
  agent.process.kill("SIGKILL");
});
