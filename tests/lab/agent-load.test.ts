/** Millions of probes through an agent that does all but send: memory is bounded, a short campaign is not starved. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { probesTopic } from "../../lib/net/wire/target-header.ts";
import { inTier } from "../run/tier.ts";
import { AgentRig, probeRecord, probesTo } from "./agent-rig.ts";

const port = 18_080;
const recordProbes = 1000;
const longRecords = inTier({ usual: 300, long: 10_000 });
const recordsAtOnce = 20;
const memoryMiBMax = 300;

/** The most that was resident: some 130 MiB of its own, the program (45) and mapped rings (6). */
function memoryMiB(pid: number): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
}

test("a thousand probes behind millions are sent before half of them, and memory stays below 300 MiB", async () => {
  await using rig = await AgentRig.open(null);
  const ports = Array.from({ length: 50 }, (_, i) => 24_000 + i);
  const probes = probesTo("192.0.2.9", { ports, ttls: Array.from({ length: 20 }, (_, i) => i + 1) });
  const long = probeRecord("dry", { measurementId: "long" }, probes);
  for (let i = 0; i < longRecords; i += recordsAtOnce) {
    await rig.broker.publish(probesTopic, new Array(recordsAtOnce).fill(long));
  }
  await rig.broker.publish(probesTopic, [
    probeRecord("dry", { measurementId: "short", endOfMeasurement: true }, probes),
  ]);
  const prober = {
    dry_run: true,
    interface: "lo",
    src_ipv4_prefix: "192.0.2.0/24",
    probing_rate: 10_000_000,
  };
  const agent = await rig.start("", "dry", { prober: [prober] }, port);
  const metric = (name: string) => rig.metric("", name, port);
  while ((await metric("measurements_ended_total")) === 0) {
    await Bun.sleep(50);
  }
  expect(await metric("sender_dry_total")).toBeLessThan((longRecords * recordProbes) / 2);
  while ((await metric("sender_dry_total")) < (longRecords + 1) * recordProbes) {
    await Bun.sleep(250);
  }
  expect(memoryMiB(agent.process.pid)).toBeLessThan(memoryMiBMax);
  expect(await agent.stop()).toBe(0);
});
