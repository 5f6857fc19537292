import { expect, spyOn, test } from "bun:test";
import { estimate } from "./estimate.ts";
import type { Schedule } from "./schedule.ts";
import { agentOffsetMs, spreadSecDefault } from "./spread.ts";

const start = Date.parse("2026-01-01T00:00:00Z");
const daily: Schedule = {
  timing: { kind: "every", everySec: 3600 },
  startMs: start,
  firstRun: 0,
  stopMs: null,
  runsMax: null,
  slipMs: 5000,
  onMissed: "skip",
  overlap: "skip",
};

test("a day's runs, probes and share of the quota", () => {
  expect(estimate(daily, 500, 100_000)).toEqual({
    probesPerRun: 500,
    runsPerDay: 24,
    probesPerDay: 12_000,
    quotaShare: 0.12,
    runs: null,
    probes: null,
    firstMs: start,
    lastMs: null,
    quotaEndsMs: null,
  });
});

test("the first run that its day's quota has no room for, on the second day where the first is short", () => {
  const hour = 3_600_000;
  expect(estimate(daily, 500, 9_999).quotaEndsMs).toBe(start + 19 * hour);
  const late = { ...daily, startMs: start + 20 * hour };
  expect(estimate(late, 500, 9_999).quotaEndsMs).toBe(start + (24 + 19) * hour);
  expect(estimate({ ...late, runsMax: 4 }, 500, 9_999).quotaEndsMs).toBeNull();
});

test("the end, by a time or by a number, whichever is first", () => {
  const stopMs = start + 36 * 3_600_000;
  expect(estimate({ ...daily, stopMs }, 1, null)).toMatchObject({ runs: 36, lastMs: stopMs - 3_600_000 });
  expect(estimate({ ...daily, stopMs, runsMax: 3 }, 2, 10)).toMatchObject({
    runs: 3,
    runsPerDay: 3,
    probes: 6,
    quotaShare: 0.6,
    lastMs: start + 2 * 3_600_000,
  });
  expect(estimate({ ...daily, stopMs: start }, 1, 1)).toMatchObject({ runs: 0, firstMs: null, lastMs: null });
});

test("a cron pattern counts by its fullest day", () => {
  const timing = { kind: "cron", pattern: "0 8,12,18 * * 1-5", zone: "Europe/Berlin" } as const;
  expect(estimate({ ...daily, timing, runsMax: 20 }, 10, null)).toMatchObject({
    runs: 20,
    runsPerDay: 3,
    firstMs: Date.parse("2026-01-01T07:00:00Z"),
    lastMs: Date.parse("2026-01-09T11:00:00Z"),
  });
  expect(estimate({ ...daily, timing }, 10, null)).toMatchObject({ runs: null, probes: null, runsPerDay: 3 });
});

test("an estimate looks at each minute of two days, and no further than 50 years", () => {
  const cron = (pattern: string) => ({ kind: "cron", pattern, zone: "Europe/Vienna" }) as const;
  const minutely = { ...daily, timing: cron("* * * * *"), startMs: start + 20 * 3_600_000 };
  expect(estimate(minutely, 1, 1400).quotaEndsMs).toBe(start + (24 * 60 + 1400) * 60_000);
  expect(estimate({ ...minutely, runsMax: 2000 }, 1, null)).toMatchObject({ runs: 2000, runsPerDay: 1440 });
  expect(estimate({ ...minutely, runsMax: 4000 }, 1, null).runs).toBeNull();
  for (const rare of ["0 0 29 2 1", "0 0 31W * *", "0 0 * * 1#5", "0 0 29 2 +1", "0 0 * 2 1#5"]) {
    const timing = cron(rare);
    expect(estimate({ ...daily, timing, runsMax: 2 }, 1, null).runs).toBe(2);
    expect(estimate({ ...daily, timing }, 1, 1)).toMatchObject({
      runs: null,
      runsPerDay: 1,
      quotaEndsMs: null,
    });
  }
});

test("the clock of a zone is read by one formatter, however many runs are estimated", () => {
  const formatters = spyOn(Intl, "DateTimeFormat");
  for (const pattern of ["0 0 29 2 1", "0 0 31W * *", "0 0 * * 1#5", "* * * * *"]) {
    estimate({ ...daily, timing: { kind: "cron", pattern, zone: "America/Asuncion" } }, 1, 1);
    estimate({ ...daily, timing: { kind: "cron", pattern, zone: "Antarctica/Troll" } }, 1, 1);
  }
  expect(formatters.mock.calls.length).toBeLessThanOrEqual(2);
  formatters.mockRestore();
});

test("an agent's share of the spread is its own, and all of them fill it evenly", () => {
  expect(agentOffsetMs("c", "a", 400_000)).toBe(agentOffsetMs("c", "a", 400_000));
  expect(agentOffsetMs("c", "a", 0)).toBe(0);
  const offsets = Array.from({ length: 4000 }, (_, index) => agentOffsetMs("c", `agent-${index}`, 400_000));
  const tenths = Map.groupBy(offsets, (offset) => Math.floor(offset / 40_000));
  expect([...tenths.keys()].toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  for (const { length } of tenths.values()) {
    expect(length).toBeWithin(320, 480);
  }
  expect(spreadSecDefault(60)).toBe(30);
  expect(spreadSecDefault(86_400)).toBe(400);
});
