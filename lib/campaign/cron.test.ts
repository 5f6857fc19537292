import { expect, test } from "bun:test";
import { cronAfterMs, cronFault } from "./cron.ts";

/** The next times of a pattern, in UTC. */
function times(pattern: string, zone: string, from: string, count: number): string[] {
  const found: string[] = [];
  let atMs = Date.parse(from);
  while (found.length < count) {
    const nextMs = cronAfterMs({ kind: "cron", pattern, zone }, atMs);
    if (nextMs === null) {
      break;
    }
    atMs = nextMs;
    found.push(new Date(nextMs).toISOString().slice(0, 16));
  }
  return found;
}

test("a time that daylight saving leaves out comes after the gap", () => {
  expect(times("30 2 * * *", "Europe/Berlin", "2026-03-28T12:00Z", 2)).toEqual([
    "2026-03-29T01:00",
    "2026-03-30T00:30",
  ]);
});

test("a time that daylight saving repeats comes once", () => {
  expect(times("30 2 * * *", "Europe/Berlin", "2026-10-24T12:00Z", 2)).toEqual([
    "2026-10-25T00:30",
    "2026-10-26T01:30",
  ]);
});

test("each hour goes on through both", () => {
  expect(times("0 * * * *", "Europe/Berlin", "2026-10-24T23:30Z", 3)).toEqual([
    "2026-10-25T00:00",
    "2026-10-25T01:00",
    "2026-10-25T02:00",
  ]);
});

test("faults name the key and what to write", () => {
  const fault = (pattern: string, zone = "UTC") => cronFault({ kind: "cron", pattern, zone });
  expect(fault("*/5 * * * *")).toBeNull();
  expect(fault("* * * *")).toContain("needs five parts");
  expect(fault("* * * * * *")).toContain("needs five parts");
  expect(fault("@hourly")).toContain("needs five parts");
  expect(fault("61 * * * *")).toBe('"cron" is not a pattern: Invalid value for minute: 61');
  expect(fault("0 0 31 2 *")).toBe('"cron" never comes');
  expect(fault("* * * * *", "Nowhere/X")).toContain('"zone" is not a time zone');
  expect(fault(`${"1,".repeat(150)}1 * * * *`)).toContain("more than 200");
});
