/**
 * The calendar minutes that a cron pattern names, on a wall clock that is never changed: represented as UTC.
 *
 * The library parses the pattern; days are chosen here, by its rules: day of the month or day of the week if both are
 * given, and both with `+` (`0 0 13 * +5`, a Friday the 13th); `L`, `LW`, `15W`, `5#2`, `5L`.
 */
import { CronPattern } from "croner";
import { cronYearMax, cronYearsAheadMax } from "./limits.ts";
import { dayMs, minuteMs } from "./zone.ts";

type Flags = Pick<CronPattern, "lastDayOfMonth" | "lastWeekday" | "starDOM" | "starDOW" | "useAndLogic">;

interface DayRules extends Flags {
  /** By index from 0; 1 = named. */
  readonly month: readonly number[];
  readonly day: readonly number[];
  /** Bits, from Sunday: see `isNamedWeekday`. */
  readonly dayOfWeek: readonly number[];
  /** Dates whose nearest weekday is named. */
  readonly nearestTo: readonly number[];
}

export interface WallTimes {
  /** Minutes after midnight, ascending. */
  readonly minutes: readonly number[];
  /** Each hour of the day is named, so the pattern is not bound to a time of day. */
  readonly isHourly: boolean;
  readonly days: DayRules;
}

/** The weekday of 1 January 1970; 0 = Sunday. */
const thursday = 4;

interface Month {
  readonly length: number;
  /** Weekday of its first day; 0 = Sunday. */
  readonly weekday: number;
}

/** Throws on an invalid pattern. */
export function wallTimesOf(text: string): WallTimes {
  const pattern = new CronPattern(text, undefined, { mode: "5-part" });
  const hours = indexesOf(pattern.hour);
  const minutesOfHour = indexesOf(pattern.minute);
  const minutes = hours.flatMap((hour) => minutesOfHour.map((minute) => hour * 60 + minute));
  return { minutes, isHourly: hours.length === 24, days: dayRulesOf(pattern) };
}

/** The first that is not before another, in milliseconds; null = none in the searched years. */
export function nextWallMs({ minutes, days }: WallTimes, fromMs: number): number | null {
  const fromMinute = Math.ceil(fromMs / minuteMs);
  const today = Math.floor(fromMinute / 1440);
  const later = minutes[firstFrom(minutes, fromMinute - today * 1440)];
  const day = nextDay(days, later === undefined ? today + 1 : today);
  return day === null ? null : day * dayMs + (day === today ? (later ?? 0) : (minutes[0] ?? 0)) * minuteMs;
}

/** Index of the first number that is not below another, in an ascending list; its length = none is. */
function firstFrom(ascending: readonly number[], least: number): number {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] ?? least) < least) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/** Without the library's list of 10,000 years: patterns are cached. */
function dayRulesOf(pattern: CronPattern): DayRules {
  const { month, day, dayOfWeek, nearestWeekdays, lastDayOfMonth, lastWeekday } = pattern;
  const { starDOM, starDOW, useAndLogic } = pattern;
  const nearestTo = indexesOf(nearestWeekdays).map((index) => index + 1);
  const flags = { lastDayOfMonth, lastWeekday, starDOM, starDOW, useAndLogic };
  return { month, day, dayOfWeek, nearestTo, ...flags };
}

/** Days since 1970. */
function nextDay(rules: DayRules, fromDay: number): number | null {
  const from = new Date(fromDay * dayMs);
  const fromMonth = from.getUTCFullYear() * 12 + from.getUTCMonth();
  const lastMonth = Math.min(fromMonth + 12 * cronYearsAheadMax, cronYearMax * 12 + 11);
  let date = from.getUTCDate();
  for (let month = fromMonth; month <= lastMonth; month++) {
    const found = rules.month[month % 12] === 1 ? dateFrom(rules, month, date) : null;
    if (found !== null) {
      return Date.UTC(Math.floor(month / 12), month % 12, found) / dayMs;
    }
    date = 1;
  }
  return null;
}

/** The first day of a month that is named, from a date on; months are counted from the year 0. */
function dateFrom(rules: DayRules, month: number, from: number): number | null {
  const [year, ofYear] = [Math.floor(month / 12), month % 12];
  const firstDay = Date.UTC(year, ofYear, 1) / dayMs;
  const about = {
    length: Date.UTC(year, ofYear + 1, 1) / dayMs - firstDay,
    weekday: (((firstDay + thursday) % 7) + 7) % 7,
  };
  const nearest = rules.nearestTo.map((near) => nearestWeekday(about, near));
  for (let date = from; date <= about.length; date++) {
    if (isNamed(rules, about, nearest, date)) {
      return date;
    }
  }
  return null;
}

function isNamed(rules: DayRules, month: Month, nearest: readonly number[], date: number): boolean {
  const byDate =
    rules.day[date - 1] === 1 ||
    (rules.lastDayOfMonth && date === month.length) ||
    (rules.lastWeekday && date === nearestWeekday(month, month.length)) ||
    nearest.includes(date);
  if (rules.starDOW) {
    return byDate;
  }
  const byWeekday = isNamedWeekday(rules, month, date);
  return rules.useAndLogic || rules.starDOM ? byDate && byWeekday : byDate || byWeekday;
}

/** A weekday has a bit for its first to fifth in the month, and one for its last: all of them if it is plain. */
function isNamedWeekday({ dayOfWeek }: DayRules, month: Month, date: number): boolean {
  const bits = dayOfWeek[weekdayOf(month, date)] ?? 0;
  const ownBits = (1 << (Math.ceil(date / 7) - 1)) | (date + 7 > month.length ? 32 : 0);
  return (bits & ownBits) !== 0;
}

/** Monday to Friday, in the same month; 0 = the month has no such date. */
function nearestWeekday(month: Month, date: number): number {
  if (date > month.length) {
    return 0;
  }
  const weekday = weekdayOf(month, date);
  if (weekday === 0) {
    return date === month.length ? date - 2 : date + 1;
  }
  return weekday === 6 ? (date === 1 ? 3 : date - 1) : date;
}

function weekdayOf({ weekday }: Month, date: number): number {
  return (weekday + date - 1) % 7;
}

function indexesOf(flags: readonly number[]): number[] {
  return flags.flatMap((flag, index) => (flag === 1 ? [index] : []));
}
