import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hostDaysKept, hostMeasurementsKept } from "../limits.ts";
import { HostLedger, readHostFigures } from "./host-ledger.ts";
import { pause, pausedAtMs, resume } from "./host-pause.ts";

const day = 24 * 3600 * 1000;
const noon = Date.parse("2026-11-28T12:00:00Z");
const report = {
  ...{
    measurementId: "m",
    sentProbes: 5,
    receivedReplies: 4,
    failedProbes: 0,
    isComplete: false,
    error: null,
  },
  ...{ heldProbes: 0, isStopped: false, user: "u", requestId: "r-12345678", sources: ["192.0.2.1"] },
};

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "vantage-host-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

test("what was sent is kept over a restart, by UTC day", () => {
  const ledger = new HostLedger(folder);
  ledger.add({ packets: 3, bytes: 300 }, noon);
  ledger.add({ packets: 1, bytes: 100 }, noon + day / 2 - 1);
  ledger.hear([report], noon);
  ledger.write(noon);
  const next = new HostLedger(folder);
  expect(next.used(noon)).toEqual({ packets: 4, bytes: 400 });
  expect(next.used(noon + day / 2)).toEqual({ packets: 0, bytes: 0 });
  next.hear([{ ...report, sentProbes: 9, isComplete: true }], noon + 1000);
  next.write(noon + 1000);
  expect(readHostFigures(folder).measurements).toEqual([
    {
      ...{
        measurementId: "m",
        user: "u",
        requestId: "r-12345678",
        sources: ["192.0.2.1"],
        sentProbes: 9,
        receivedReplies: 4,
      },
      ...{ failedProbes: 0, state: "complete", error: null },
      ...{ firstAt: "2026-11-28T12:00:00.000Z", lastAt: "2026-11-28T12:00:01.000Z" },
    },
  ]);
});

test("a month and the latest measurements are kept; what cannot be read is nothing", () => {
  const ledger = new HostLedger(folder);
  for (let i = 0; i < hostDaysKept + 3; i++) {
    ledger.add({ packets: 1, bytes: 1 }, noon + i * day);
  }
  const many = Array.from({ length: hostMeasurementsKept + 3 }, (_, i) => ({
    ...report,
    measurementId: `${i}`,
  }));
  ledger.hear(many, noon);
  ledger.write(noon);
  const { days, measurements } = readHostFigures(folder);
  expect([days.length, days[0]?.day]).toEqual([hostDaysKept, "2026-12-01"]);
  expect([measurements.length, measurements[0]?.measurementId]).toEqual([hostMeasurementsKept, "3"]);
  writeFileSync(join(folder, "host-ledger.json"), "{");
  expect(readHostFigures(folder)).toEqual({ days: [], measurements: [] });
});

test("a pause is there until it is ended, and keeps its time", async () => {
  expect(pausedAtMs(folder)).toBeNull();
  pause(folder);
  const since = pausedAtMs(folder);
  pause(folder);
  expect(pausedAtMs(folder)).toBe(since);
  resume(folder);
  resume(folder);
  expect(pausedAtMs(folder)).toBeNull();
});
