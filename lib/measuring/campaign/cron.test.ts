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

test("lists, ranges and steps: what is skipped comes once after the gap, what is repeated comes the first time", () => {
  const zone = "Europe/Vienna";
  expect(times("0,30 2 * * *", zone, "2027-03-27T12:00Z", 3)).toEqual([
    "2027-03-28T01:00",
    "2027-03-29T00:00",
    "2027-03-29T00:30",
  ]);
  expect(times("*/30 1-3 * * *", zone, "2027-03-28T00:30Z", 2)).toEqual([
    "2027-03-28T01:00",
    "2027-03-28T01:30",
  ]);
  expect(times("0,30 2 * * *", zone, "2027-10-30T12:00Z", 3)).toEqual([
    "2027-10-31T00:00",
    "2027-10-31T00:30",
    "2027-11-01T01:00",
  ]);
  expect(times("30 */2 * * *", zone, "2027-10-31T00:00Z", 2)).toEqual([
    "2027-10-31T00:30",
    "2027-10-31T03:30",
  ]);
});

test("half an hour, two hours, a month's change back and a day that is left out altogether", () => {
  expect(times("0,15 2 * * *", "Australia/Lord_Howe", "2026-10-03T12:00Z", 1)).toEqual(["2026-10-03T15:30"]);
  expect(times("0 2 * * *", "Antarctica/Troll", "2027-03-27T12:00Z", 1)).toEqual(["2027-03-28T01:00"]);
  expect(times("30 2 * * *", "Africa/Casablanca", "2027-02-06T12:00Z", 2)).toEqual([
    "2027-02-07T01:30",
    "2027-02-08T02:30",
  ]);
  expect(times("0 9,17 30 12 *", "Pacific/Apia", "2011-12-01T00:00Z", 1)).toEqual(["2011-12-30T10:00"]);
});

test("a pattern of each hour is bound to no time of the day: nothing is moved after a gap", () => {
  expect(times("30 * * * *", "Europe/Vienna", "2027-03-27T23:45Z", 2)).toEqual([
    "2027-03-28T00:30",
    "2027-03-28T01:30",
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
  expect(fault("@daily")).toContain('needs five parts, as in "0 0 * * *" for @daily: minute,');
  expect(fault("@reboot")).toContain('needs five parts, as in "0 */6 * * *": minute,');
  expect(fault("0 0 31 2 *")).toBe('"cron" never comes');
  expect(fault("* * * * *", "Nowhere/X")).toContain('"zone" is not a time zone');
  expect(fault(`${"1,".repeat(150)}1 * * * *`)).toContain("more than 200");
});

test.each([
  ["61 * * * *", "minute 61 is not from 0 to 59"],
  ["1-70 * * * *", "minute 1-70 is not from 0 to 59"],
  ["* 24 * * *", "hour 24 is not from 0 to 23"],
  ["0 0 0 * *", "day of the month 0 is not from 1 to 31"],
  ["0 0 32W * *", "day of the month 32W is not from 1 to 31"],
  ["0 0 1 13 *", "month 13 is not from 1 to 12"],
  ["0 0 1 0 *", "month 0 is not from 1 to 12"],
  ["0 0 1 6,13,7 *", "month 13 is not from 1 to 12"],
  ["0 0 * * 8", "day of the week 8 is not from 0 to 7"],
  ["0 0 * * fri-mon", "day of the week fri-mon ends before it begins"],
  ["0 0 * dec-feb *", "month dec-feb ends before it begins"],
  ["0 0 * foo *", "month foo is not a number, name, range or step"],
  ["0 0 * january *", "month january is not a number, name, range or step"],
  ["1,,2 * * * *", "minute 1,,2 has an empty place"],
  ["0 0 * * 5#6", "day of the week 5#6 is not a number, name, range or step"],
  ["5/15 * * * *", "minute 5/15 is a step from a number: write */15 or 5-59/15"],
  ["0 0 1/5 * *", "day of the month 1/5 is a step from a number: write */5 or 1-31/5"],
  ["*/61 * * * *", "minute */61 is not a number, name, range or step"],
  ["０ 0 * * *", "minute ０ is not a number, name, range or step"],
])("of %p the wrong part is named as it was typed", (pattern, reason) => {
  expect(cronFault({ kind: "cron", pattern, zone: "UTC" })).toBe(`"cron" is not a pattern: ${reason}`);
});
