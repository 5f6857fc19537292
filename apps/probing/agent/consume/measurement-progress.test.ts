import { expect, test } from "bun:test";
import { address } from "../../../../lib/net/ip/address.ts";
import { encodeProbes } from "../../../../lib/net/wire/probe-codec.ts";
import { feedCounterNames } from "../agent-counters.ts";
import { Counters, senderCounterNames } from "../engine/counters.ts";
import { InstanceControl } from "../engine/instance-control.ts";
import { ProbeQueue } from "../engine/probe-queue.ts";
import { hostPauseGraceMs } from "../limits.ts";
import { DestinationPace } from "./destination-pace.ts";
import { MeasurementProgress } from "./measurement-progress.ts";
import { ProbeJob } from "./probe-job.ts";
import { SenderFeed } from "./sender-feed.ts";

const pace = new DestinationPace({ address: 0, network: 0 });
const nowMs = 1_800_000_000_000;
const dst = address("2001:db8::9");
const probe = { dst, srcPort: 1, dstPort: 0, ttl: 1, protocol: "udp" as const };

function rig() {
  const sender = new Counters(senderCounterNames);
  const feed = new SenderFeed({
    ...{ minTtl: 1, maxTtl: 255, packets: 1, senderCounters: sender.buffer },
    control: InstanceControl.allocate(1000).buffer,
    probes: ProbeQueue.allocate().buffer,
    counters: new Counters(feedCounterNames).buffer,
  });
  const header = { srcIp: "", endOfMeasurement: false, firstProbe: 0, notAfterMs: nowMs + 60_000 };
  const job = new ProbeJob({
    header: { ...header, measurementId: "m" },
    sources: { ipv4: null, ipv6: { instance: 0, address: address("2001:db8:a::1") } },
    value: encodeProbes(Array.from({ length: 10 }, () => probe)),
    probeCount: 10,
  });
  const progress = new MeasurementProgress("m", nowMs);
  progress.begin(job);
  return { sender, feed, job, progress };
}

test("a cancelled measurement is stopped when the senders are past the last of it, or nothing of it ever came", () => {
  const { sender, feed, job, progress } = rig();
  const turn = { feeds: [feed], measurement: 7, nowMs, paceMs: 0, pace, probesMax: 4 };
  job.turn({ ...turn, count: () => {}, blocks: () => false });
  progress.isCancelled = true;
  expect(progress.report().isStopped).toBe(false);
  job.giveUp(() => {}, "cancelled", pace);
  // One was sent, two dropped, one lies in the ring.
  progress.count({ sent: 1, failed: 0, replied: 0 });
  sender.add("sender_read", 3);
  expect(progress.report()).toMatchObject({ sentProbes: 1, isStopped: false });
  sender.add("sender_read", 1);
  expect(progress.report()).toMatchObject({ sentProbes: 1, isStopped: true });
  const unheard = new MeasurementProgress("unheard", nowMs);
  unheard.isCancelled = true;
  expect(unheard.report()).toMatchObject({ sentProbes: 0, isStopped: true, isComplete: false });
});

test("it waits for its agent's host for a minute, or until a time that it can wait for", () => {
  const { progress } = rig();
  const { notAfterMs } = progress;
  const words = "paused by its host";
  const paused = { words, sinceMs: nowMs, untilMs: null };
  expect(progress.whyHeld(paused, nowMs + hostPauseGraceMs)).toBeNull();
  expect(progress.whyHeld(paused, nowMs + hostPauseGraceMs + 1)).toBe("The agent is paused by its host");
  expect(progress.whyHeld({ ...paused, untilMs: notAfterMs }, nowMs + hostPauseGraceMs + 1)).toBeNull();
  expect(progress.whyHeld({ ...paused, untilMs: (notAfterMs ?? 0) + 1 }, nowMs)).toBe(
    `The agent is ${words}`,
  );
  progress.isCancelled = true;
  expect(progress.whyHeld(paused, nowMs + hostPauseGraceMs + 1)).toBeNull();
});
