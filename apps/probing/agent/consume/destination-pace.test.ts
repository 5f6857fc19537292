import { expect, test } from "bun:test";
import { address } from "../../../../lib/net/ip/address.ts";
import { encodeProbes } from "../../../../lib/net/wire/probe-codec.ts";
import type { DestinationShare } from "../../../../lib/net/wire/target-header.ts";
import { type ConsumerCounter, feedCounterNames } from "../agent-counters.ts";
import { Counters, senderCounterNames } from "../engine/counters.ts";
import { InstanceControl } from "../engine/instance-control.ts";
import { ProbeQueue } from "../engine/probe-queue.ts";
import { costOf, DestinationPace } from "./destination-pace.ts";
import { PartitionQueue } from "./partition-queue.ts";
import { ProbeJob } from "./probe-job.ts";
import { SenderFeed } from "./sender-feed.ts";

const victim = address("198.51.100.7");
const share: DestinationShare = {
  user: "a",
  userAddress: 50,
  address: 200,
  network: 1000,
  agents: 1,
  knownAtMs: 0,
};
const defaults = { address: 200, network: 1000 };

/** Packets that pass in so many seconds, offered each millisecond; after the burst of the first seconds. */
function passed(
  pace: DestinationPace,
  order: { seconds: number; asks: readonly (() => [Uint8Array, number, DestinationShare | null])[] },
) {
  let count = 0;
  for (let ms = 0; ms < 1000 * (order.seconds + 3); ms++) {
    for (const ask of order.asks) {
      const [dst, cost, own] = ask();
      for (let tries = 0; tries < 5; tries++) {
        const isFree = pace.take(dst, cost, pace.limitsOf(own), ms) === 0;
        count += isFree && ms >= 3000 ? 1 : 0;
      }
    }
  }
  return count / order.seconds;
}

test.each<[string, number, (() => [Uint8Array, number, DestinationShare | null])[]]>([
  ["one user, one address", 50, [() => [victim, 1, share]]],
  ["one user's SYNs", 5, [() => [victim, costOf("tcp"), share]]],
  ["two measurements of one user", 50, [() => [victim, 1, share], () => [victim, 1, { ...share }]]],
  [
    "ten users, one address",
    200,
    Array.from({ length: 10 }, (_, i) => () => [victim, 1, { ...share, user: `user ${i}` }]),
  ],
  ["without a gateway", 200, [() => [victim, 1, null]]],
  ["a whole /24", 1000, [() => [Uint8Array.from(victim).fill(Math.random() * 256, 15), 1, null]]],
  ["a share of a tenth", 5, [() => [victim, 1, { ...share, userAddress: 5, address: 20, network: 100 }]]],
])("%s gets no more than %d a second, and nearly that", (_, rate, asks) => {
  const perSecond = passed(new DestinationPace(defaults), { seconds: 5, asks });
  expect(perSecond).toBeGreaterThan(0.9 * rate);
  expect(perSecond).toBeLessThanOrEqual(rate + 1);
});

test("a burst is two seconds of the rate at most", () => {
  const pace = new DestinationPace(defaults);
  const limits = pace.limitsOf(share);
  const burst = Array.from({ length: 1000 }, () => pace.take(victim, 1, limits, 0)).filter((ms) => ms === 0);
  expect(burst.length).toBeLessThanOrEqual(100);
  expect(burst.length).toBeGreaterThanOrEqual(50);
});

test("a quarter of a million packets to as many networks in a second wait for nothing", () => {
  const pace = new DestinationPace(defaults);
  const limits = pace.limitsOf(share);
  let held = 0;
  for (let i = 0; i < 250_000; i++) {
    const dst = Uint8Array.from(victim);
    dst.set([1 + ((i >> 16) & 0xff), (i >> 8) & 0xff, i & 0xff], 12);
    held += pace.take(dst, 1, limits, Math.floor(i / 250)) > 0 ? 1 : 0;
  }
  expect(held).toBe(0);
});

test("0 is without limit, and a gateway's 0 leaves the agent's own", () => {
  const free = new DestinationPace({ address: 0, network: 0 });
  const none = { ...share, userAddress: 0, address: 0, network: 0 };
  expect([null, none, share].map((given) => free.limitsOf(given).isFree)).toEqual([true, true, false]);
  const asks = [() => [victim, 1, none]] as (() => [Uint8Array, number, DestinationShare])[];
  expect(passed(new DestinationPace(defaults), { seconds: 5, asks })).toBeCloseTo(200, -1);
});

function rig() {
  const queue = ProbeQueue.allocate();
  const feed = new SenderFeed({
    ...{ minTtl: 1, maxTtl: 255, packets: 1, probes: queue.buffer },
    control: InstanceControl.allocate(1_000_000).buffer,
    senderCounters: new Counters(senderCounterNames).buffer,
    counters: new Counters(feedCounterNames).buffer,
  });
  const pace = new DestinationPace(defaults);
  const counts: Partial<Record<ConsumerCounter, number>> = {};
  const count = (name: ConsumerCounter, by: number) => {
    counts[name] = (counts[name] ?? 0) + by;
  };
  const turn = (job: ProbeJob, paceMs: number) =>
    job.turn({
      feeds: [feed],
      count,
      measurement: 1,
      nowMs: 0,
      paceMs,
      pace,
      probesMax: 10_000,
      blocks: () => false,
    });
  return { feed, counts, turn, pace };
}

function jobOf(destinations: readonly Uint8Array[]): ProbeJob {
  const probes = destinations.map((dst, i) => ({
    dst,
    srcPort: i,
    dstPort: 0,
    ttl: 1,
    protocol: "udp" as const,
  }));
  const header = { srcIp: "", measurementId: "m", endOfMeasurement: true, firstProbe: 0, notAfterMs: 1 };
  return new ProbeJob({
    header: { ...header, share },
    sources: { ipv4: { instance: 0, address: address("192.0.2.1") }, ipv6: null },
    value: encodeProbes(probes),
    probeCount: probes.length,
  });
}

test("others of a measurement go past those whose destination has enough, which come when it has room", () => {
  const { feed, counts, turn } = rig();
  const other = (i: number) => Uint8Array.from(victim).fill(i, 14, 15).fill(i, 13, 14);
  const job = jobOf(Array.from({ length: 400 }, (_, i) => (i % 2 === 0 ? victim : other(i >> 1))));
  turn(job, 0);
  const atOnce = feed.queued;
  // All of the 200 others, and the burst.
  expect(atOnce).toBeGreaterThanOrEqual(250);
  expect(atOnce).toBeLessThanOrEqual(300);
  expect([job.isDone, job.stalledUntilMs > 0]).toEqual([false, true]);
  expect(counts.probes_held).toBe(400 - atOnce);
  expect(job.probesHeld).toBe(400 - atOnce);
  // Waiting probes are never reported as sent.
  expect(job.position + job.probesAhead).toBe(atOnce);
  for (let ms = 0; ms <= 1000; ms += 5) {
    turn(job, ms);
  }
  expect(feed.queued - atOnce).toBeGreaterThanOrEqual(45);
  expect(feed.queued - atOnce).toBeLessThanOrEqual(51);
  for (let ms = 1000; ms <= 5000; ms += 5) {
    turn(job, ms);
  }
  expect([job.isDone, feed.queued, job.position, job.probesAhead]).toEqual([true, 400, 400, 0]);
});

test("a record that waits for its destination holds up no other of its partition", () => {
  const { turn } = rig();
  const queue = new PartitionQueue("t", 0);
  const slow = jobOf(Array.from({ length: 1000 }, () => victim));
  const next = jobOf([address("203.0.113.9")]);
  queue.add(0n, slow);
  queue.add(1n, next);
  expect(queue.isFull(0)).toBe(true);
  expect(queue.current(0)).toBe(slow);
  turn(slow, 0);
  expect([queue.current(0), queue.isFull(0)]).toEqual([next, false]);
  turn(next, 0);
  expect([next.isDone, queue.current(0), queue.isOpen]).toEqual([true, null, true]);
  expect(queue.current(slow.stalledUntilMs)).toBe(slow);
});

test("a record that is given up tells what had left past those that waited", () => {
  const { feed, counts, turn, pace } = rig();
  const job = jobOf([...Array.from({ length: 200 }, () => victim), address("203.0.113.9")]);
  turn(job, 0);
  job.giveUp(
    (name, by) => {
      counts[name] = by;
    },
    "cancelled",
    pace,
  );
  expect(pace.held).toBe(0);
  expect(job.position + job.probesAhead).toBe(feed.queued);
  expect(counts.probes_cancelled).toBe(201 - feed.queued);
});
