/** `kill -9` of an agent under load: what it had sent is not sent again, what it had captured is published, once. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { ProgressJournal } from "../../apps/probing/agent/consume/progress-journal.ts";
import { batchFramesMax } from "../../ffi/frame-sender.ts";
import { probesTopic } from "../../lib/net/wire/target-header.ts";
import { isLongRun } from "../run/tier.ts";
import { AgentRig, probeRecord, probesTo } from "./agent-rig.ts";
import { Internet } from "./internet.ts";
import { interfaceTo } from "./routing.ts";
import { internet } from "./topology.ts";
import { WireWatch } from "./wire-watch.ts";

const rate = 5000;
const firstPort = 20_000;
const allPorts = Array.from({ length: 20_000 }, (_, i) => firstPort + i);
const prober = { interface: interfaceTo("eastAccess"), src_ipv4_prefix: "10.101.0.0/24", probing_rate: rate };
/** A block of the kernel's ring is handed over each 10 ms; and as much again five times for a slow machine. */
const inKernelMax = (rate * 60) / 1000;

let net: Internet;
beforeAll(async () => {
  net = await Internet.start(internet);
});
afterAll(() => net.stop());

interface Numbered {
  readonly ports: readonly number[];
  readonly repeated: number;
  readonly measurements: ReadonlySet<string | undefined>;
}

/** Replies by the port of their probe, of each numbered record one: as the store takes them. */
async function stored(rig: AgentRig): Promise<Numbered> {
  const taken = new Map<string, number>();
  const ports: number[] = [];
  let repeated = 0;
  const heard = await rig.replies(Number.POSITIVE_INFINITY, 2000);
  for (const { reply, headers } of heard) {
    const { producer = "", sequence = "" } = headers;
    if (Number(sequence) > (taken.get(producer) ?? 0)) {
      taken.set(producer, Number(sequence));
      ports.push(reply.probeSrcPort);
    } else {
      repeated++;
    }
  }
  return { ports, repeated, measurements: new Set(heard.map(({ headers }) => headers.measurement_id)) };
}

test.each([...(isLongRun ? [["one record for all", 20_000] as const] : []), ["many records", 500] as const])(
  "killed three times in the middle of %s",
  async (_, recordProbes) => {
    await using rig = await AgentRig.open(net);
    await using watch = await WireWatch.start({
      ...{ net, folder: rig.folder, node: "eastAccess", neighbour: "east" },
    });
    const header = { measurementId: "long", notAfterMs: Date.now() + 600_000 };
    const records = Array.from({ length: allPorts.length / recordProbes }, (_, i) => {
      const ports = allPorts.slice(i * recordProbes, (i + 1) * recordProbes);
      const endOfMeasurement = (i + 1) * recordProbes === allPorts.length;
      const more = { firstProbe: i * recordProbes, endOfMeasurement };
      return probeRecord("east", { ...header, ...more }, probesTo("203.0.113.10", { ports, ttls: [1] }));
    });
    await rig.broker.publish(probesTopic, records);
    const kills = [3000, 8000, 14_000].map((at) => at + Math.floor(Math.random() * 2500));
    for (const killAt of kills) {
      const agent = await rig.start("east", "east", { prober: [prober] });
      await watch.until(killAt);
      agent.process.kill("SIGKILL");
      await agent.process.exited;
    }
    const last = await rig.start("east", "east", { prober: [prober] });
    await rig.untilCommitted("east");
    expect(await last.stop()).toBe(0);
    const sent = await watch.ports();
    expect([...new Set(sent)].sort((a, b) => a - b)).toEqual(allPorts);
    expect(sent.length - allPorts.length, `killed at ${kills}`).toBeLessThanOrEqual(
      kills.length * batchFramesMax,
    );
    const { ports, repeated, measurements } = await stored(rig);
    // What was published again carries the numbers that it had, and so is stored once.
    expect(ports.length, `${repeated} came again`).toBeLessThanOrEqual(sent.length);
    expect(allPorts.length - new Set(ports).size).toBeLessThanOrEqual(kills.length * inKernelMax);
    expect(measurements).toEqual(new Set(["long"]));
    // A user's counts continue over all restarts too.
    const told = new ProgressJournal(rig.stateDir("east")).read().map(({ replied }) => replied);
    expect(Math.max(...told)).toBe(ports.length);
  },
);
