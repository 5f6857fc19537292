/** What must not leave an agent: a record that comes twice, and probes to destinations that are blocked. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { probesTopic } from "../../lib/net/wire/target-header.ts";
import { AgentRig, probeRecord, probesTo } from "./agent-rig.ts";
import { Internet } from "./internet.ts";
import { interfaceTo } from "./routing.ts";
import { internet } from "./topology.ts";
import { WireWatch } from "./wire-watch.ts";

const prober = { interface: interfaceTo("eastAccess"), src_ipv4_prefix: "10.101.0.0/24", probing_rate: 5000 };
const measurementId = "6b1f6b52-5f0c-4c1e-9d35-1f0c7b1e8a01";

let net: Internet;
beforeAll(async () => {
  net = await Internet.start(internet);
});
afterAll(() => net.stop());

const watchIn = (folder: string) => WireWatch.start({ net, folder, node: "eastAccess", neighbour: "east" });

/** Source ports from `first` on tell probes apart; as a gateway publishes it, with an end in time. */
function record(first: number, count: number, header: { notAfterMs: number; endOfMeasurement?: boolean }) {
  const ports = Array.from({ length: count }, (_, i) => 20_000 + first + i);
  const probes = probesTo("203.0.113.10", { ports, ttls: [1] });
  return probeRecord("east", { measurementId, firstProbe: first, ...header }, probes);
}

test("a record that comes again is sent once: at once, after the agent was killed, and when it is cut otherwise", async () => {
  await using rig = await AgentRig.open(net);
  await using watch = await watchIn(rig.folder);
  const notAfterMs = Date.now() + 600_000;
  const first = await rig.start("east", "east", { prober: [prober] });
  const records = [record(0, 500, { notAfterMs }), record(500, 500, { notAfterMs })];
  await rig.broker.publish(probesTopic, [...records, ...records]);
  await rig.untilCommitted("east");
  expect(await rig.metric("east", "records_repeated_total")).toBe(2);
  first.process.kill("SIGKILL");
  await first.process.exited;
  const second = await rig.start("east", "east", { prober: [prober] });
  await rig.broker.publish(probesTopic, [
    ...records,
    record(900, 300, { notAfterMs, endOfMeasurement: true }),
  ]);
  await rig.untilCommitted("east");
  expect(await rig.metric("east", "records_repeated_total")).toBe(2);
  expect(await rig.metric("east", "probes_repeated_total")).toBe(1100);
  expect(await second.stop()).toBe(0);
  const ports = await watch.ports();
  expect(ports.length).toBe(1200);
  expect(new Set(ports).size).toBe(1200);
});

test("probes to blocked destinations stay here and are counted, and SIGHUP reads rate and lists again", async () => {
  await using rig = await AgentRig.open(net);
  await using watch = await watchIn(rig.folder);
  const blocklist = join(rig.folder, "blocklist");
  writeFileSync(blocklist, "203.0.113.10/32 # asked by its owner\n");
  const config = { agent: { blocklist_file: blocklist }, prober: [prober] };
  const agent = await rig.start("east", "east", config);
  const notAfterMs = Date.now() + 600_000;
  await rig.broker.publish(probesTopic, [record(0, 100, { notAfterMs })]);
  await rig.untilCommitted("east");
  expect(await rig.metric("east", "probes_blocked_total")).toBe(100);
  expect(await rig.metric("east", "sender_sent_total")).toBe(0);

  // A list that cannot be read changes nothing.
  writeFileSync(blocklist, "203.0.113.10/24\n");
  agent.process.kill("SIGHUP");
  while (!agent.stderr().includes("the previous list stays active")) {
    await Bun.sleep(20);
  }
  expect(agent.stderr()).toContain('line 1: "203.0.113.10/24" is not a prefix');
  expect(await rig.metric("east", "destination_lists_bad_total")).toBe(1);
  await rig.broker.publish(probesTopic, [record(100, 100, { notAfterMs })]);
  await rig.untilCommitted("east");
  expect(await rig.metric("east", "probes_blocked_total")).toBe(200);

  writeFileSync(blocklist, "");
  rig.configure("east", {
    ...config,
    prober: [{ ...prober, probing_rate: 777 }],
    kafka: { in_group_id: "x" },
  });
  agent.process.kill("SIGHUP");
  while ((await rig.metric("east", "probing_rate")) !== 777) {
    await Bun.sleep(20);
  }
  await rig.broker.publish(probesTopic, [record(200, 100, { notAfterMs })]);
  await rig.untilCommitted("east");
  expect(agent.stderr()).toContain("changes of kafka take effect after a restart");
  expect(await agent.stop()).toBe(0);
  const ports = await watch.ports();
  expect([ports.length, Math.min(...ports)]).toEqual([100, 20_200]);
});
