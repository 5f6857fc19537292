import { afterEach, beforeEach, expect, test } from "bun:test";
import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { address } from "../../../../lib/net/ip/address.ts";
import { encodeProbes } from "../../../../lib/net/wire/probe-codec.ts";
import type { TargetHeader } from "../../../../lib/net/wire/target-header.ts";
import { consumerCounterNames, feedCounterNames } from "../agent-counters.ts";
import { Counters, senderCounterNames } from "../engine/counters.ts";
import { InstanceControl } from "../engine/instance-control.ts";
import { MeasurementBoard } from "../engine/measurement-board.ts";
import { ProbeQueue } from "../engine/probe-queue.ts";
import { DestinationPace } from "./destination-pace.ts";
import { PartitionQueue } from "./partition-queue.ts";
import type { ProbeJob } from "./probe-job.ts";
import { ProgressLedger } from "./progress-ledger.ts";
import { SenderFeed } from "./sender-feed.ts";
import type { TargetRecord } from "./target-record.ts";

const nowMs = 1_800_000_000_000;
const source = { instance: 0, address: address("2001:db8:a::1") };
const number = 7;
const free = { pace: new DestinationPace({ address: 0, network: 0 }), paceMs: 0, blocks: () => false };

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "vantage-progress-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

function recordOf(probeCount: number, header: Partial<TargetHeader> = {}): TargetRecord {
  const dst = address("2001:db8::9");
  const probes = Array.from({ length: probeCount }, (_, srcPort) => ({ dst, srcPort, dstPort: 0, ttl: 1 }));
  return {
    header: {
      srcIp: "",
      measurementId: "m",
      endOfMeasurement: false,
      firstProbe: 0,
      notAfterMs: nowMs + 60_000,
      ...header,
    },
    sources: { ipv4: null, ipv6: source },
    value: encodeProbes(probes.map((probe) => ({ ...probe, protocol: "udp" as const }))),
    probeCount,
  };
}

/** One run of an agent: its progress, a partition queue, and one sender under the test's control. */
function life(options: { packets?: number } = {}) {
  const board = MeasurementBoard.allocate(16);
  const counters = new Counters(consumerCounterNames);
  const sender = new Counters(senderCounterNames);
  const feed = new SenderFeed({
    control: InstanceControl.allocate(100_000).buffer,
    minTtl: 1,
    maxTtl: 255,
    packets: options.packets ?? 1,
    probes: ProbeQueue.allocate().buffer,
    senderCounters: sender.buffer,
    counters: new Counters(feedCounterNames).buffer,
  });
  const failures: string[] = [];
  const onFailure = (text: string) => failures.push(text);
  const ledger = new ProgressLedger({ stateDir: folder, board: board.buffer, counters, onFailure, nowMs });
  const queue = new PartitionQueue("t", 0);
  let offset = 0n;
  return {
    ...{ ledger, board, counters, queue, failures },
    take(record: TargetRecord): ProbeJob | null {
      const job = ledger.admit(record, queue, nowMs);
      queue.add(offset++, job);
      return job;
    },
    queue(job: ProbeJob | null, probesMax = 1000) {
      ledger.numbered("m", number, nowMs);
      job?.turn({ feeds: [feed], count: () => {}, measurement: number, nowMs, ...free, probesMax });
    },
    send(sent: number, failed = 0) {
      sender.add("sender_read", sent + failed);
      board.add(number, "sent", sent);
      board.add(number, "failed", failed);
    },
    commit(): bigint | null {
      const commit = queue.commitOffset((job) => ledger.left(job));
      queue.follow({ nowMs, settleMs: 0 }, (job) => ledger.leftInPart(job));
      ledger.write();
      return commit;
    },
    report: () => ledger.reports(nowMs).at(-1),
  };
}

test("progress counts sent probes, not queued ones, and is reported only when it changes", () => {
  const agent = life();
  const job = agent.take(recordOf(10));
  agent.queue(job, 6);
  agent.send(3, 1);
  expect(agent.report()).toMatchObject({ sentProbes: 3, failedProbes: 1, isComplete: false });
  expect(agent.report()).toBeUndefined();
  agent.queue(job);
  agent.send(6);
  agent.board.add(number, "replied", 5);
  expect(agent.report()).toMatchObject({ sentProbes: 9, failedProbes: 1, receivedReplies: 5 });
});

test("it is complete when the last record of each target has left", () => {
  const agent = life();
  const jobs = ["192.0.2.1", "192.0.2.2"].map((srcIp) =>
    agent.take(recordOf(4, { srcIp, endOfMeasurement: true })),
  );
  for (const job of jobs) {
    agent.queue(job);
  }
  agent.send(4);
  agent.commit();
  expect(agent.report()).toMatchObject({ sentProbes: 4, isComplete: false });
  agent.send(4);
  agent.commit();
  expect(agent.report()).toMatchObject({ sentProbes: 8, isComplete: true });
});

test("it is not complete while one of its targets has more to come", () => {
  const agent = life();
  agent.queue(agent.take(recordOf(4, { srcIp: "192.0.2.1" })));
  agent.queue(agent.take(recordOf(4, { srcIp: "192.0.2.2", endOfMeasurement: true })));
  agent.send(8);
  agent.commit();
  expect(agent.report()).toMatchObject({ sentProbes: 8, isComplete: false });
});

test("a record that waits behind another counts nothing before its time", () => {
  const agent = life();
  const first = agent.take(recordOf(10));
  agent.take(recordOf(10, { firstProbe: 10 }));
  agent.queue(first, 4);
  agent.send(4);
  expect(agent.report()?.sentProbes).toBe(4);
});

test("a probe that is sent several times counts once", () => {
  const agent = life({ packets: 3 });
  agent.queue(agent.take(recordOf(4)));
  agent.send(7);
  expect(agent.report()?.sentProbes).toBe(2);
  agent.send(5);
  expect(agent.report()?.sentProbes).toBe(4);
});

test("a record that comes again while the first is on the way is not sent, and not committed before it", () => {
  const agent = life();
  const first = agent.take(recordOf(10));
  agent.queue(first);
  expect(agent.take(recordOf(10))).toBeNull();
  expect(agent.counters.get("records_repeated")).toBe(1);
  expect(agent.commit()).toBeNull();
  agent.send(10);
  expect(agent.commit()).toBe(2n);
});

test("after a restart what has left is not sent again, and what has not left is", () => {
  const before = life();
  before.queue(before.take(recordOf(10)));
  before.send(10);
  before.commit();
  before.queue(before.take(recordOf(10, { firstProbe: 10 })));
  const after = life();
  expect(after.report()).toMatchObject({ sentProbes: 10, isComplete: false });
  expect(after.take(recordOf(10))).toBeNull();
  const again = after.take(recordOf(10, { firstProbe: 10, endOfMeasurement: true }));
  after.queue(again);
  after.send(10);
  after.commit();
  expect(after.report()).toMatchObject({ sentProbes: 20, isComplete: true });
});

test("of a record that is cut otherwise only the rest is sent", () => {
  const before = life();
  before.queue(before.take(recordOf(10)));
  before.send(10);
  before.commit();
  const after = life();
  const job = after.take(recordOf(15));
  after.queue(job);
  expect([job?.packetsQueued, after.counters.get("probes_repeated")]).toEqual([5, 10]);
  after.send(5);
  after.commit();
  expect(after.report()?.sentProbes).toBe(15);
});

test("the same name with another end in time, or with none, is another run: it is sent", () => {
  const agent = life();
  agent.queue(agent.take(recordOf(10)));
  agent.send(10);
  agent.commit();
  expect(agent.take(recordOf(10, { notAfterMs: nowMs + 61_000 }))).not.toBeNull();
  expect(agent.take(recordOf(10, { measurementId: "other", notAfterMs: null }))).not.toBeNull();
  expect(agent.take(recordOf(10, { measurementId: "other", notAfterMs: null }))).not.toBeNull();
});

test("counts of replies and failures continue after a restart", () => {
  const before = life();
  before.queue(before.take(recordOf(10)));
  before.send(8, 2);
  before.board.add(number, "replied", 6);
  before.report();
  before.commit();
  before.board.add(number, "replied", 1);
  before.report();
  before.ledger.write();
  const after = life();
  expect(after.report()).toMatchObject({ sentProbes: 8, failedProbes: 2, receivedReplies: 7 });
});

test("a line that a crash cut off spoils no other, and lines past their time are forgotten", () => {
  const before = life();
  before.queue(before.take(recordOf(10)));
  before.send(10);
  before.commit();
  appendFileSync(join(folder, "progress.ndjson"), '\n{"measurementId":"m","targ');
  const second = life();
  second.queue(second.take(recordOf(10, { firstProbe: 10 })));
  second.send(10);
  second.commit();
  expect(life().report()?.sentProbes).toBe(20);
  const late = new ProgressLedger({
    ...{ stateDir: folder, board: MeasurementBoard.allocate(1).buffer },
    ...{ counters: new Counters(consumerCounterNames), onFailure: () => {}, nowMs: nowMs + 60_001 },
  });
  expect(late.reports(nowMs)).toEqual([]);
});

test("a full disk stops nothing, and is counted", () => {
  const agent = life();
  rmSync(folder, { recursive: true });
  agent.queue(agent.take(recordOf(10)));
  agent.send(10);
  expect(agent.commit()).toBe(1n);
  expect(agent.counters.get("journal_failures")).toBe(1);
  expect(agent.failures[0]).toContain("Cannot keep progress");
  folder = mkdtempSync(join(tmpdir(), "vantage-progress-"));
});

test("a cancelled measurement queues no more probes, and those in the rings are not sent", () => {
  const agent = life();
  const job = agent.take(recordOf(10));
  agent.queue(job, 4);
  agent.send(1);
  agent.ledger.cancel(["m"], nowMs);
  expect(agent.board.isStopped(number)).toBe(true);
  expect(job !== null && agent.ledger.isCancelled(job)).toBe(true);
  expect(agent.report()).toMatchObject({ sentProbes: 1, isStopped: false });
});

test("of a record that was cut by a crash, what had left at the last commit is passed over, and no more", () => {
  const killed = life();
  const first = killed.take(recordOf(100, { endOfMeasurement: true }));
  killed.queue(first, 40);
  killed.commit();
  killed.send(39);
  killed.commit();
  expect(first?.left.position).toBe(0);
  killed.send(1);
  killed.queue(first, 20);
  killed.commit();
  expect(first?.left.position).toBe(40);
  killed.send(20);
  const second = life();
  const again = second.take(recordOf(100, { endOfMeasurement: true }));
  expect(again?.left.position).toBe(40);
  expect(second.report()).toMatchObject({ sentProbes: 40, isComplete: false });
  second.queue(again);
  second.send(60);
  second.commit();
  expect(second.report()).toMatchObject({ sentProbes: 100, failedProbes: 0, isComplete: true });
});

test("without an end time, which distinguishes runs of the same name, no part of a record is skipped", () => {
  const killed = life();
  const record = recordOf(100, { notAfterMs: null });
  const job = killed.take(record);
  killed.queue(job, 40);
  killed.commit();
  killed.send(40);
  killed.commit();
  expect([job?.left.position, life().take(record)?.left.position]).toEqual([0, 0]);
});

test("of a subscription that is gone, what has left of its records is passed over when they come again", () => {
  const agent = life();
  const job = agent.take(recordOf(100));
  agent.queue(job, 40);
  agent.send(40);
  agent.commit();
  agent.ledger.dropJobs();
  const again = agent.ledger.admit(recordOf(100), new PartitionQueue("t", 0), nowMs);
  expect(again?.left.position).toBe(40);
});
