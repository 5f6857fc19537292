/** When copying a measurement's packets starts and ends. */
import { beforeEach, expect, test } from "bun:test";
import { RecordedMeasurements } from "../engine/recorded-measurements.ts";
import { lateReplyMs, recordingsAtATime } from "../limits.ts";
import type { ProgressReport } from "./measurement-progress.ts";
import { Recordings } from "./recordings.ts";

let recorded: RecordedMeasurements;
let recordings: Recordings;
let refused = 0;

beforeEach(() => {
  recorded = new RecordedMeasurements();
  refused = 0;
  recordings = new Recordings(recorded.buffer, () => refused++);
});

const report = (measurementId: string, more: Partial<ProgressReport>): ProgressReport => ({
  ...{ measurementId, sentProbes: 1, receivedReplies: 0, failedProbes: 0, isComplete: false, error: null },
  ...{ heldProbes: 0, isStopped: false, user: null, requestId: null, sources: [], ...more },
});

test.each([{ isComplete: true }, { isStopped: true }])(
  "until the last answer can have come after %j",
  (end) => {
    recordings.begin("m", 7, 1_000_000);
    expect([recorded.has(7), recorded.has(8)]).toEqual([true, false]);
    recordings.hear([report("m", {}), report("other", end)], 100_000);
    recordings.hear([], 200_000);
    expect(recorded.has(7)).toBeTrue();
    recordings.hear([report("m", end)], 200_000);
    recordings.hear([], 200_000 + lateReplyMs);
    expect(recorded.has(7)).toBeTrue();
    recordings.hear([], 200_001 + lateReplyMs);
    expect(recorded.any).toBeFalse();
  },
);

test("an open measurement that gets more probes continues", () => {
  recordings.begin("m", 7, 1_000_000);
  recordings.hear([report("m", { isComplete: true })], 1000);
  recordings.begin("m", 7, 1_000_000);
  recordings.hear([], 10_000 + lateReplyMs);
  expect(recorded.has(7)).toBeTrue();
});

test("a measurement whose time is over has ended, whatever became of it; one without a time has not", () => {
  recordings.begin("m", 7, 1000);
  recordings.begin("timeless", 8, null);
  recordings.hear([], 1001 + lateReplyMs);
  expect([recorded.has(7), recorded.has(8)]).toEqual([false, true]);
});

test("under its new number, when it has another", () => {
  recordings.begin("m", 7, null);
  recordings.begin("m", 9, null);
  expect([recorded.has(7), recorded.has(9)]).toEqual([false, true]);
});

test("so many at a time; each further one is counted once, and may begin when one has ended", () => {
  for (let number = 0; number < recordingsAtATime; number++) {
    recordings.begin(`m${number}`, number, 1000);
  }
  recordings.begin("late", 100, 1_000_000);
  recordings.begin("late", 100, 1_000_000);
  expect([refused, recorded.has(100)]).toEqual([1, false]);
  recordings.hear([], 1001 + lateReplyMs);
  recordings.begin("late", 100, 1_000_000);
  expect(recorded.has(100)).toBeTrue();
});
