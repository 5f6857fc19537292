import { expect, test } from "bun:test";
import { address } from "../../../../lib/net/ip/address.ts";
import { encodeProbes } from "../../../../lib/net/wire/probe-codec.ts";
import { type ConsumerCounter, feedCounterNames } from "../agent-counters.ts";
import { Counters, senderCounterNames } from "../engine/counters.ts";
import { InstanceControl } from "../engine/instance-control.ts";
import { ProbeQueue } from "../engine/probe-queue.ts";
import { DestinationPace } from "./destination-pace.ts";
import { PartitionQueue } from "./partition-queue.ts";
import { ProbeJob } from "./probe-job.ts";
import { SenderFeed } from "./sender-feed.ts";

const dst = address("2001:db8::9");
const source = { instance: 0, address: address("2001:db8:a::1") };

const ignore = () => {};
const pace = new DestinationPace({ address: 0, network: 0 });

function rig(options: { packets?: number; minTtl?: number; blocked?: number[] } = {}) {
  const sender = new Counters(senderCounterNames);
  const feedCounters = new Counters(feedCounterNames);
  const queue = ProbeQueue.allocate();
  const feed = new SenderFeed({
    control: InstanceControl.allocate(1).buffer,
    minTtl: options.minTtl ?? 1,
    maxTtl: 255,
    packets: options.packets ?? 1,
    probes: queue.buffer,
    senderCounters: sender.buffer,
    counters: feedCounters.buffer,
  });
  const counts: Partial<Record<ConsumerCounter, number>> = {};
  const count = (name: ConsumerCounter, by: number) => {
    counts[name] = (counts[name] ?? 0) + by;
  };
  const blocks = (destination: Uint8Array) => options.blocked?.includes(destination.at(-1) ?? 0) ?? false;
  const turn = (job: ProbeJob, probesMax: number, nowMs = 0) =>
    job.turn({ feeds: [feed], count, measurement: 1, nowMs, paceMs: 0, pace, probesMax, blocks });
  return { sender, feed, feedCounters, queue, counts, turn };
}

function jobOf(probeCount: number, notAfterMs: number | null = null): ProbeJob {
  const probes = Array.from({ length: probeCount }, (_, i) => ({
    dst,
    srcPort: i,
    dstPort: 0,
    ttl: 1 + (i % 255),
  }));
  const header = { srcIp: "", measurementId: "m", endOfMeasurement: false, firstProbe: null, notAfterMs };
  return new ProbeJob({
    header,
    sources: { ipv4: null, ipv6: source },
    value: encodeProbes(probes.map((probe) => ({ ...probe, protocol: "udp" as const }))),
    probeCount,
  });
}

test("an offset is committed only when the sender has taken every probe before it", () => {
  const { sender, turn } = rig();
  const queue = new PartitionQueue("t", 0);
  const [first, second] = [jobOf(10), jobOf(5)];
  queue.add(7n, first);
  queue.add(8n, null);
  queue.add(9n, second);
  turn(first, 4);
  sender.add("sender_read", 4);
  expect(queue.commitOffset(ignore)).toBeNull();
  turn(first, 100);
  turn(second, 100);
  sender.add("sender_read", 5);
  expect(queue.commitOffset(ignore)).toBeNull();
  sender.add("sender_read", 1);
  expect(queue.commitOffset(ignore)).toBe(9n);
  sender.add("sender_read", 5);
  expect(queue.commitOffset(ignore)).toBe(10n);
  queue.committed();
  expect(queue.commitOffset(ignore)).toBeNull();
});

test("a commit that failed is due again", () => {
  const queue = new PartitionQueue("t", 0);
  queue.add(0n, null);
  expect([queue.commitOffset(ignore), queue.commitOffset(ignore)]).toEqual([1n, 1n]);
});

test("a record that comes a second time is not done twice", () => {
  const queue = new PartitionQueue("t", 0);
  expect([
    queue.add(3n, jobOf(1)),
    queue.add(3n, jobOf(1)),
    queue.add(2n, null),
    queue.add(5n, null),
  ]).toEqual([true, false, false, true]);
  expect([queue.isOpen, queue.isFull(0)]).toEqual([true, false]);
});

test("a ring takes a fifth of a second of its rate, and not more than that waits in front of other records", () => {
  const { feed, queue, turn } = rig();
  expect(turn(jobOf(1000), 1000)).toBe(128);
  expect([queue.length(), feed.queued]).toEqual([128, 128]);
});

test("each probe is sent `packets` times, also when the ring fills in between", () => {
  const { queue, counts, turn } = rig({ packets: 3 });
  const job = jobOf(100);
  turn(job, 100);
  expect([queue.length(), job.isDone, counts.probes_read]).toEqual([128, false, 43]);
});

test("what is filtered is counted, and the record is done without it", () => {
  const { queue, feedCounters, turn } = rig({ minTtl: 4 });
  const job = jobOf(10);
  turn(job, 100);
  expect([queue.length(), feedCounters.get("filtered_ttl_low"), job.isDone]).toEqual([7, 3, true]);
});

test("`not_after` ends a record in its middle, and the rest is counted", () => {
  const { queue, counts, turn } = rig();
  const job = jobOf(10, 1000);
  turn(job, 4, 1000);
  turn(job, 4, 1001);
  expect([queue.length(), job.isDone, counts.probes_expired, counts.records_expired]).toEqual([
    4,
    true,
    6,
    1,
  ]);
});

test("a probe to a blocked destination is counted, takes no room, and the record continues", () => {
  const { turn, counts, queue } = rig({ blocked: [9] });
  const job = jobOf(3);
  turn(job, 10);
  expect([job.isDone, job.probesUnsent, queue.length(), counts.probes_blocked]).toEqual([true, 3, 0, 3]);
});

test("of a record that is given up in the middle, what is in the ring counts as read and the rest as cancelled", () => {
  const { turn, counts, queue } = rig();
  const job = jobOf(10);
  turn(job, 4);
  job.giveUp(
    (name, by) => {
      counts[name] = (counts[name] ?? 0) + by;
    },
    "cancelled",
    pace,
  );
  expect([job.position, queue.length(), counts.probes_cancelled, counts.records_cancelled]).toEqual([
    4, 4, 6, 1,
  ]);
});
