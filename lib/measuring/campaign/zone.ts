/**
 * A time zone's clock: its offset from UTC, and its clock changes.
 *
 *   Europe/Vienna, 28 March 2027:   before 1 h, after 2 h, atMs 01:00 UTC (the wall clock jumps from 02:00 to 03:00)
 */
import { zonesMax, zoneWeeksMax } from "./limits.ts";
import { keepRecent } from "./recent.ts";

export const minuteMs = 60_000;
export const dayMs = 86_400_000;
const weekMs = 7 * dayMs;

/** Clocks change at whole minutes of UTC; Monrovia's once did at half a minute, in 1972. */
const changeStepMs = minuteMs / 2;

/** Within nine days: at most one clock change, as everywhere since 1970. */
interface ClockChange {
  /** Milliseconds that the wall is ahead of UTC before `atMs`, and from then on. Equal = no change. */
  readonly before: number;
  readonly after: number;
  readonly atMs: number;
}

export interface Zone {
  /** The clock change within a day of a time, in UTC or on the wall, or one of the same week. */
  readonly changeNear: (ms: number) => ClockChange;
}

/** A zone by its name in the IANA database; throws a RangeError for any other. */
export const zoneByName: (name: string) => Zone = keepRecent(zonesMax, (name) => {
  const offset = offsetOf(name);
  const change = keepRecent(zoneWeeksMax, (week: number) => changeAround(offset, week));
  return { changeNear: (ms) => change(Math.floor(ms / weekMs)) };
});

type Offset = (atMs: number) => number;

function changeAround(offset: Offset, week: number): ClockChange {
  let earlyMs = week * weekMs - dayMs;
  let lateMs = (week + 1) * weekMs + dayMs;
  const [before, after] = [offset(earlyMs), offset(lateMs)];
  while (before !== after && lateMs - earlyMs > changeStepMs) {
    const middleMs = earlyMs + Math.floor((lateMs - earlyMs) / changeStepMs / 2) * changeStepMs;
    if (offset(middleMs) === before) {
      earlyMs = middleMs;
    } else {
      lateMs = middleMs;
    }
  }
  return { before, after, atMs: lateMs };
}

/** Parses `3/28/2027, GMT-09:30`: `longOffset` alone would be shown with a date, so a short one is requested. */
function offsetOf(timeZone: string): Offset {
  const format = new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset", year: "numeric" });
  return (atMs) => {
    const [, sign = "+", ...parts] = /GMT([+-])(\d+):(\d+)(?::(\d+))?$/.exec(format.format(atMs)) ?? [];
    const [hours = 0, minutes = 0, seconds = 0] = parts.map((part) => Number(part ?? 0));
    return (sign === "-" ? -1000 : 1000) * (hours * 3600 + minutes * 60 + seconds);
  };
}
