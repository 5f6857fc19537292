import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { probeBytes } from "../../../../ffi/hotpath/memory-layout.ts";
import { address } from "../../../../lib/net/ip/address.ts";
import { encodeProbes } from "../../../../lib/net/wire/probe-codec.ts";
import { consumerCounterNames, feedCounterNames } from "../agent-counters.ts";
import { ByteRing } from "../engine/byte-ring.ts";
import { Counters, senderCounterNames } from "../engine/counters.ts";
import { InstanceControl } from "../engine/instance-control.ts";
import { MeasurementBoard } from "../engine/measurement-board.ts";
import { ProbeQueue } from "../engine/probe-queue.ts";
import { MeasurementNumbers, MeasurementTable } from "../measurement-table.ts";
import { CrowdBoard } from "./crowd-board.ts";
import { PartitionQueue } from "./partition-queue.ts";
import { ProbeJob } from "./probe-job.ts";
import { ProgressLedger } from "./progress-ledger.ts";
import { RoundRobin } from "./round-robin.ts";
import { SenderFeed } from "./sender-feed.ts";

/** A queue with one record of UDP probes, all of this source port. */
function laneOf(partition: number, srcPort: number, probeCount: number): PartitionQueue {
  const probes = Array.from({ length: probeCount }, () => ({
    dst: address("2001:db8::9"),
    srcPort,
    dstPort: 1,
    ttl: 1,
    protocol: "udp" as const,
  }));
  const header = {
    srcIp: "",
    measurementId: null,
    endOfMeasurement: false,
    firstProbe: null,
    notAfterMs: null,
  };
  const source = { instance: 0, address: address("2001:db8:a::1") };
  const queue = new PartitionQueue("t", partition);
  const value = encodeProbes(probes);
  queue.add(0n, new ProbeJob({ header, sources: { ipv4: null, ipv6: source }, value, probeCount }));
  return queue;
}

test("a slow sender, which makes room for a probe at a time, is shared by all queues", () => {
  const stateDir = mkdtempSync(join(tmpdir(), "vantage-round-robin-"));
  try {
    const queue = ProbeQueue.allocate();
    const ring = new ByteRing(queue.buffer);
    const counters = new Counters(consumerCounterNames);
    const board = MeasurementBoard.allocate(16).buffer;
    const feed = new SenderFeed({
      control: InstanceControl.allocate(1).buffer,
      ...{ minTtl: 1, maxTtl: 255, packets: 1, probes: queue.buffer },
      senderCounters: new Counters(senderCounterNames).buffer,
      counters: new Counters(feedCounterNames).buffer,
    });
    const roundRobin = new RoundRobin({
      ...{
        feeds: [feed],
        counters,
        blocks: () => false,
        destinationRates: { address: 0, network: 0 },
        crowd: new CrowdBoard(),
        onDone: () => undefined,
      },
      numbers: new MeasurementNumbers(MeasurementTable.allocate(16)),
      ledger: new ProgressLedger({
        stateDir,
        board,
        counters,
        onFailure: () => undefined,
        nowMs: Date.now(),
      }),
    });
    const long = laneOf(0, 1000, 10_000);
    const short = [laneOf(1, 2000, 5), laneOf(2, 2000, 5)];
    roundRobin.run([long]);
    for (let probe = 0; probe < 30; probe++) {
      ring.advance(probeBytes);
      roundRobin.run([long, ...short]);
    }
    expect(short.map((queue) => queue.isOpen)).toEqual([false, false]);
  } finally {
    rmSync(stateDir, { recursive: true });
  }
});
