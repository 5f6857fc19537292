/** Hours of the day (UTC) in which a host lets its agent send: `22:00-06:00,12:00-13:30`. Pure. */

/** Minutes of the UTC day; a range whose end is not after its start crosses midnight. */
interface HourRange {
  readonly from: number;
  readonly to: number;
}

const dayMinutes = 24 * 60;
const minuteMs = 60_000;
const rangesMax = 24;
const form = /^([01]\d|2[0-3]):([0-5]\d)-([01]\d|2[0-3]|24):([0-5]\d)$/;

/** Null for anything but 1 to 24 ranges `HH:MM-HH:MM` parted by commas; `24:00` may end one. */
export function parseHours(text: string): HourRange[] | null {
  const ranges = text.split(",").map((part) => rangeOf(part.trim()));
  const good = ranges.filter((range) => range !== null);
  return good.length === ranges.length && ranges.length <= rangesMax ? good : null;
}

function rangeOf(text: string): HourRange | null {
  const [, fromHour, fromMinute, toHour, toMinute] = form.exec(text) ?? [];
  const from = Number(fromHour) * 60 + Number(fromMinute);
  const to = Number(toHour) * 60 + Number(toMinute);
  return Number.isNaN(from + to) || to > dayMinutes || from === to ? null : { from, to };
}

/** The next time from `nowMs` on at which sending is allowed: `nowMs` itself within the hours. */
export function nextAllowedMs(hours: readonly HourRange[], nowMs: number): number {
  const minute = Math.floor(nowMs / minuteMs);
  const ofDay = minute % dayMinutes;
  if (hours.some((range) => holds(range, ofDay))) {
    return nowMs;
  }
  const waits = hours.map(({ from }) => (from - ofDay + dayMinutes) % dayMinutes);
  return (minute + Math.min(...waits)) * minuteMs;
}

function holds({ from, to }: HourRange, minute: number): boolean {
  return from < to ? minute >= from && minute < to : minute >= from || minute < to;
}
