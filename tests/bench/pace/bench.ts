/**
 * What the limits of a destination cost the agent for each probe: records of the broker into a sender's ring by the
 * consumer's own code, with the limits and without, in turns, in one process. Nobody sends; the ring is emptied.
 */
import { cpus } from "node:os";
import { feedCounterNames } from "../../../apps/probing/agent/agent-counters.ts";
import { CrowdBoard } from "../../../apps/probing/agent/consume/crowd-board.ts";
import { DestinationPace } from "../../../apps/probing/agent/consume/destination-pace.ts";
import { ProbeJob } from "../../../apps/probing/agent/consume/probe-job.ts";
import { SenderFeed } from "../../../apps/probing/agent/consume/sender-feed.ts";
import { ByteRing } from "../../../apps/probing/agent/engine/byte-ring.ts";
import { Counters, senderCounterNames } from "../../../apps/probing/agent/engine/counters.ts";
import { InstanceControl } from "../../../apps/probing/agent/engine/instance-control.ts";
import { ProbeQueue } from "../../../apps/probing/agent/engine/probe-queue.ts";
import { turnProbes } from "../../../apps/probing/agent/limits.ts";
import { address } from "../../../lib/net/ip/address.ts";
import type { Probe } from "../../../lib/net/packet/probe.ts";
import { encodeProbes } from "../../../lib/net/wire/probe-codec.ts";
import type { DestinationShare } from "../../../lib/net/wire/target-header.ts";
import type { BenchOptions } from "../options.ts";
import type { BenchReport } from "../report.ts";

const probesDefault = 1_000_000;
const recordProbes = 20_000;
/** Probes/s that the clock of the limits assumes: what one sender reaches. */
const rateProbesPerSec = 500_000;

const none = { rates: { address: 0, network: 0 }, share: null };
const defaults = {
  rates: { address: 200, network: 1000 },
  share: { user: "u", userAddress: 50, address: 200, network: 1000, agents: 1, knownAtMs: 0 },
};
const another = (i: number) => i;
const paths = (i: number) => Math.floor(i / 30);

const subjects = [
  { name: "another address each time, without limits", ...none, place: another },
  { name: "another address each time, with the defaults", ...defaults, place: another },
  { name: "30 to an address, one after another, without limits", ...none, place: paths },
  { name: "30 to an address, one after another, with the defaults", ...defaults, place: paths },
];

export async function benchPace(options: BenchOptions): Promise<BenchReport> {
  const count = options.count ?? probesDefault;
  const rounds = new Map<string, number[]>(subjects.map(({ name }) => [name, []]));
  for (const subject of subjects) {
    nanosPerProbe(subject, count);
  }
  for (let round = 1; round <= options.rounds; round++) {
    for (const subject of subjects) {
      rounds.get(subject.name)?.push(nanosPerProbe(subject, count));
    }
    process.stderr.write(`round ${round} of ${options.rounds}\n`);
  }
  return {
    bench: "pace",
    what: `${count} probes from records into a sender's ring, median of ${options.rounds} rounds`,
    subjects: subjects.map(({ name }) => name),
    references: [],
    figures: [{ unit: "ns of CPU/probe", decimals: 1, rounds }],
    notes: [`One thread; ${cpus().length} x ${cpus()[0]?.model ?? "CPU"}.`],
  };
}

interface Subject {
  readonly rates: { readonly address: number; readonly network: number };
  readonly share: DestinationShare | null;
  /** Which address the probe of this index goes to. */
  readonly place: (index: number) => number;
}

function nanosPerProbe({ rates, share, place }: Subject, count: number): number {
  const { outlet, ring } = emptyOutlet();
  const pace = new DestinationPace(rates, new CrowdBoard());
  let nanos = 0;
  for (let first = 0; first < count; first += recordProbes) {
    const probes = Array.from({ length: Math.min(recordProbes, count - first) }, (_, i) =>
      probeTo(place(first + i)),
    );
    const job = jobOf(probes, share);
    const before = process.cpuUsage();
    for (let done = 0; !job.isDone; ring.clear()) {
      const paceMs = (1000 * (first + done)) / rateProbesPerSec;
      done += job.turn({
        ...{ feeds: [outlet], count: () => {}, measurement: 1, nowMs: 0, paceMs, pace },
        ...{ probesMax: turnProbes, blocks: () => false },
      });
    }
    const { user, system } = process.cpuUsage(before);
    nanos += 1000 * (user + system);
  }
  return nanos / count;
}

function probeTo(index: number): Probe {
  const dst = address("11.0.0.1").slice();
  // Neighbours in the list are far from each other, as in a campaign.
  new DataView(dst.buffer).setUint32(12, Math.imul(index, 0x9e3779b1) >>> 0);
  return { dst, srcPort: 24_000, dstPort: 33_434, ttl: 9, protocol: "udp" };
}

function jobOf(probes: readonly Probe[], share: DestinationShare | null): ProbeJob {
  const header = {
    ...{ srcIp: "", measurementId: null, endOfMeasurement: false, firstProbe: null, notAfterMs: null },
    share,
  };
  const source = { instance: 0, address: address("192.0.2.1") };
  const value = encodeProbes(probes);
  return new ProbeJob({ header, sources: { ipv4: source, ipv6: null }, value, probeCount: probes.length });
}

function emptyOutlet() {
  const queue = ProbeQueue.allocate();
  const outlet = new SenderFeed({
    control: InstanceControl.allocate(rateProbesPerSec).buffer,
    ...{ minTtl: 1, maxTtl: 255, packets: 1, probes: queue.buffer },
    senderCounters: new Counters(senderCounterNames).buffer,
    counters: new Counters(feedCounterNames).buffer,
  });
  const bytes = new ByteRing(queue.buffer);
  return { outlet, ring: { clear: () => bytes.advance(bytes.usedBytes()) } };
}
