import { expect, test } from "bun:test";
import * as v from "valibot";
import { healthReportSchema } from "../../../../lib/measuring/probing/agent-report.ts";
import { progressReportsMax } from "../../../../lib/measuring/probing/limits.ts";
import type { ProgressReport } from "../consume/measurement-progress.ts";
import { progressWaitingMax } from "../limits.ts";
import { backOffMs } from "./back-off.ts";
import { type AgentFigures, healthReport } from "./health-report.ts";
import { ProgressQueue } from "./progress-queue.ts";

test("waits double from a quarter of a second to 5 s, and chance spreads them", () => {
  expect([1, 2, 3].map((failures) => backOffMs(failures, 0))).toEqual([250, 500, 1000]);
  expect([backOffMs(1, 1), backOffMs(100, 1), backOffMs(100, 0)]).toEqual([500, 5000, 2500]);
});

const figures: AgentFigures = {
  version: "1",
  startedAt: "2026-01-01T00:00:00.000Z",
  health: { status: "degraded", reasons: ["the broker cannot be read from"], holds: [] },
  counters: {
    consumer_away: 1,
    capture_received: 10,
    capture_dropped: 2,
    sender_sent: 5,
    probes_blocked: 3,
    reply_stale: 0,
  },
  queues: [{ name: "any", depth: 1, depth_max: 2 }],
  captureState: "running",
  clockSteps: 0,
  configVersion: 4,
  isPaused: false,
  isKilled: true,
  allowsDns: false,
  hostHold: { words: "paused by its host", sinceMs: 0, untilMs: null },
  refused: [{ instance: "any", key: "probing_rate", reason: "must be at most 20000000 packets/s" }],
};

test("a health report is one that the gateway takes, with losses, and with what was refused", () => {
  const report = healthReport(figures);
  expect(v.safeParse(healthReportSchema, report).issues).toBeUndefined();
  expect(report.healthy).toBe(true);
  expect(report.message).toBe(
    "the broker cannot be read from; refused: any.probing_rate must be at most 20000000 packets/s",
  );
  expect(report.details).toMatchObject({
    killed: true,
    held_by_host: "paused by its host",
    config_version: 4,
    capture: { state: "running", received: 10, dropped: 2 },
    drops: { capture_dropped: 2, probes_blocked: 3 },
    broker: { readable: false, writable: true },
  });
  expect(Object.keys(report.details?.drops ?? {}).sort()).toEqual(["capture_dropped", "probes_blocked"]);
  const fine = healthReport({
    ...figures,
    health: { status: "unhealthy", reasons: [], holds: [] },
    refused: [],
  });
  expect([fine.healthy, fine.message]).toEqual([false, null]);
});

function progress(measurementId: string, sentProbes: number): ProgressReport {
  const rest = {
    receivedReplies: 0,
    failedProbes: 0,
    isComplete: false,
    error: null,
    heldProbes: 0,
    isStopped: false,
    ...{ user: null, requestId: null, sources: [] },
  };
  return { measurementId, sentProbes, ...rest };
}

const id = (i: number) => `00000000-0000-4000-8000-${String(i).padStart(12, "0")}`;

test("progress waits until it is taken, the newest of each measurement with a UUID", async () => {
  const queue = new ProgressQueue();
  queue.add([progress(id(1), 1), progress("campaign", 1), progress(id(1), 2)]);
  const failed = queue.flush(() => Promise.reject(new Error("unreachable")));
  await expect(failed).rejects.toThrow("unreachable");
  const sent: number[] = [];
  await queue.flush(async (batch) => {
    sent.push(...batch.map(({ sent_probes }) => sent_probes));
    // A report that arrives in the meantime is not lost with it.
    queue.add([progress(id(1), 3)]);
  });
  expect([sent, queue.size]).toEqual([[2], 1]);
});

test("a batch has a limit, and so has what waits", async () => {
  const queue = new ProgressQueue();
  queue.add(Array.from({ length: progressWaitingMax + 5 }, (_, i) => progress(id(i), 1)));
  expect([queue.size, queue.forgotten]).toEqual([progressWaitingMax, 5]);
  let first = "";
  await queue.flush(async (batch) => {
    first = batch[0]?.measurement_id ?? "";
    expect(batch.length).toBe(progressReportsMax);
  });
  expect(first).toBe(id(5));
  expect(queue.size).toBe(progressWaitingMax - progressReportsMax);
});
