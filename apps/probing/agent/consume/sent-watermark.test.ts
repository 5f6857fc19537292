import { expect, test } from "bun:test";
import { feedCounterNames } from "../agent-counters.ts";
import { Counters, senderCounterNames } from "../engine/counters.ts";
import { InstanceControl } from "../engine/instance-control.ts";
import { ProbeQueue } from "../engine/probe-queue.ts";
import { leftNotesMax } from "../limits.ts";
import { SenderFeed } from "./sender-feed.ts";
import { SentWatermark } from "./sent-watermark.ts";

const look = { nowMs: 0, settleMs: 0 };

function rig() {
  const sender = new Counters(senderCounterNames);
  const feed = new SenderFeed({
    control: InstanceControl.allocate(1).buffer,
    ...{ minTtl: 1, maxTtl: 255, packets: 1, probes: ProbeQueue.allocate().buffer },
    senderCounters: sender.buffer,
    counters: new Counters(feedCounterNames).buffer,
  });
  return { feed, take: (packets: number) => sender.add("sender_read", packets) };
}

test("a note is passed when every sender has taken what its ring had then", () => {
  const [fast, slow] = [rig(), rig()];
  const marks = new Map([
    [fast.feed, 10],
    [slow.feed, 2],
  ]);
  const trail = new SentWatermark(100);
  expect(trail.follow({ position: 115, probesUnsent: 3, marks }, look)).toBe(false);
  fast.take(10);
  slow.take(1);
  // Later reads, under the same advancing marks, don't change the note.
  marks.set(slow.feed, 3);
  expect(trail.follow({ position: 116, probesUnsent: 3, marks }, look)).toBe(false);
  slow.take(1);
  expect(trail.follow(null, look)).toBe(true);
  expect([trail.position, trail.probesUnsent]).toEqual([115, 3]);
  expect(trail.follow(null, look)).toBe(false);
  slow.take(1);
  expect(trail.follow(null, look)).toBe(true);
  expect(trail.position).toBe(116);
});

test("probes that go into no ring are passed at once, and those that are passed over count as left", () => {
  const trail = new SentWatermark(100);
  expect(trail.follow({ position: 60, probesUnsent: 0, marks: new Map() }, look)).toBe(false);
  expect(trail.position).toBe(100);
  expect(trail.follow({ position: 105, probesUnsent: 5, marks: new Map() }, look)).toBe(true);
  expect([trail.position, trail.probesUnsent]).toEqual([105, 5]);
});

test("while a sender stands still, no more notes are kept than the limit, and it continues from there", () => {
  const { feed, take } = rig();
  const trail = new SentWatermark(0);
  for (let position = 1; position <= leftNotesMax + 10; position++) {
    trail.follow({ position, probesUnsent: 0, marks: new Map([[feed, position]]) }, look);
  }
  take(leftNotesMax + 10);
  trail.follow(null, look);
  expect(trail.position).toBe(leftNotesMax);
});

test("a note counts when it is old enough for its answers to be gone", () => {
  const trail = new SentWatermark(0);
  const at = (nowMs: number) => ({ nowMs, settleMs: 2000 });
  expect(trail.follow({ position: 5, probesUnsent: 0, marks: new Map() }, at(1000))).toBe(false);
  expect(trail.follow({ position: 9, probesUnsent: 0, marks: new Map() }, at(2999))).toBe(false);
  expect(trail.follow(null, at(3000))).toBe(true);
  expect(trail.position).toBe(5);
});
