/**
 * Cron patterns in every time zone that the runtime knows, around each change of its clock, beside a plain oracle that
 * walks through all minutes. And which days a pattern names, beside the library that defines its language.
 */
import { expect, test } from "bun:test";
import { Cron } from "croner";
import fc from "fast-check";
import { cronAfterMs, cronFault } from "../../lib/measuring/campaign/cron.ts";
import { inTier } from "../run/tier.ts";

const minuteMs = 60_000;
const dayMs = 1440 * minuteMs;
const fromMs = Date.parse("2026-07-01T00:00Z");

/** Changes that were larger or rarer than today's: a day left out, half an hour before midnight, 30 minutes forward. */
const rareChanges: readonly (readonly [zone: string, day: string])[] = [
  ["Pacific/Apia", "2011-12-30"],
  ["Pacific/Kwajalein", "1993-08-20"],
  ["America/Caracas", "2007-12-09"],
  ["America/Caracas", "2016-05-01"],
  ["Asia/Pyongyang", "2018-05-04"],
  ["Africa/Casablanca", "2018-06-17"],
];

/** Minutes since 1970 that the wall shows, as if it were UTC. */
function wallOf(zone: string): (atMs: number) => number {
  const format = new Intl.DateTimeFormat("en-US", {
    ...{ timeZone: zone, hourCycle: "h23", year: "numeric", month: "numeric", day: "numeric" },
    ...{ hour: "numeric", minute: "numeric", second: "numeric" },
  });
  return (atMs) => {
    const [, month, day, year, hour, minute] = (
      /^(\d+)\/(\d+)\/(\d+), (\d+):(\d+):/.exec(format.format(atMs)) ?? []
    ).map(Number);
    return Date.UTC(year ?? 0, (month ?? 0) - 1, day, hour, minute) / minuteMs;
  };
}

interface Window {
  readonly zone: string;
  readonly startMs: number;
  /** What the wall shows in each of its minutes. */
  readonly walls: readonly number[];
}

function windowOf(zone: string, startMs: number, days: number): Window {
  const wall = wallOf(zone);
  return {
    zone,
    startMs,
    walls: Array.from({ length: days * 1440 }, (_, index) => wall(startMs + index * minuteMs)),
  };
}

/** Days of a year and a bit within which the wall moves by more or less than a day; of a fixed clock one day. */
function windowsOf(zone: string): Window[] {
  const wall = wallOf(zone);
  const starts = Array.from({ length: 400 }, (_, day) => fromMs + day * dayMs);
  const changes = starts.filter((atMs) => wall(atMs + dayMs) - wall(atMs) !== 1440);
  return changes.length === 0
    ? [windowOf(zone, fromMs, 1)]
    : changes.map((atMs) => windowOf(zone, atMs - dayMs / 2, 2));
}

const windows = [
  ...Intl.supportedValuesOf("timeZone").flatMap(windowsOf),
  ...rareChanges.map(([zone, day]) => windowOf(zone, Date.parse(day) - dayMs, 4)),
];

const utcDay = windowOf("UTC", fromMs, 1);

interface Part {
  readonly text: string;
  readonly values: ReadonlySet<number>;
}

/** A list of values, ranges and steps, with the values that it names. */
function partBelow(count: number): fc.Arbitrary<Part> {
  const upTo = (first: number, last: number, step: number) =>
    Array.from({ length: Math.floor((last - first) / step) + 1 }, (_, index) => first + index * step);
  const value = fc.nat(count - 1);
  const step = fc.integer({ min: 1, max: count });
  const item = fc.oneof(
    value.map((one) => ({ text: `${one}`, values: [one] })),
    step.map((every) => ({ text: `*/${every}`, values: upTo(0, count - 1, every) })),
    fc.tuple(value, value).map(([a, b]) => {
      const [first, last] = [Math.min(a, b), Math.max(a, b)];
      return { text: `${first}-${last}`, values: upTo(first, last, 1) };
    }),
    fc.tuple(value, value, step).map(([a, b, every]) => {
      const [first, last] = [Math.min(a, b), Math.max(a, b)];
      return { text: `${first}-${last}/${every}`, values: upTo(first, last, every) };
    }),
    fc.constant({ text: "*", values: upTo(0, count - 1, 1) }),
  );
  return fc.array(item, { minLength: 1, maxLength: 3 }).map((items) => ({
    text: items.map(({ text }) => text).join(","),
    values: new Set(items.flatMap(({ values }) => values)),
  }));
}

interface Pattern {
  readonly minute: Part;
  readonly hour: Part;
}

/** Each minute of a window: is the time on the wall named, is it new, and was one left out just before? */
function expectedTimes({ startMs, walls }: Window, { minute, hour }: Pattern): number[] {
  const isNamed = (wall: number) =>
    minute.values.has(wall % 60) && hour.values.has(Math.floor(wall / 60) % 24);
  const isHourly = hour.values.size === 24;
  const times: number[] = [];
  let latest = (walls[0] ?? 0) - 1;
  for (const [index, wall] of walls.entries()) {
    let isDue = isNamed(wall) && (isHourly || wall > latest);
    for (let skipped = latest + 1; skipped < wall && !isHourly; skipped++) {
      isDue ||= isNamed(skipped);
    }
    if (isDue) {
      times.push(startMs + index * minuteMs);
    }
    latest = Math.max(latest, wall);
  }
  return times;
}

function actualTimes({ zone, startMs, walls }: Window, pattern: string): number[] {
  const times: number[] = [];
  const endMs = startMs + walls.length * minuteMs;
  const next = (afterMs: number) => cronAfterMs({ kind: "cron", pattern, zone }, afterMs);
  for (let atMs = next(startMs - 1); atMs !== null && atMs < endMs; atMs = next(atMs)) {
    times.push(atMs);
  }
  return times;
}

function check(window: Window, { minute, hour }: Pattern): void {
  const pattern = `${minute.text} ${hour.text} * * *`;
  const shown = (times: number[]) => [window.zone, pattern, ...times.map((at) => new Date(at).toISOString())];
  const [actual, expected] = [actualTimes(window, pattern), expectedTimes(window, { minute, hour })];
  if (!Bun.deepEquals(actual, expected)) {
    expect(shown(actual)).toEqual(shown(expected));
  }
}

test("in all zones: a time that is skipped comes after the gap, one that is repeated comes once", () => {
  expect(windows.length).toBeGreaterThan(500);
  const patterns = fc.record({ minute: partBelow(60), hour: partBelow(24) });
  fc.assert(
    fc.property(patterns, fc.nat(19), (pattern, share) => {
      for (let index = share; index < windows.length; index += 20) {
        check(windows[index] ?? utcDay, pattern);
      }
    }),
    { numRuns: inTier({ usual: 3, long: 40 }) },
  );
});

test("in all zones: some that people write, at the hours at which clocks are set", () => {
  const part = (text: string, values: readonly number[]) => ({ text, values: new Set(values) });
  const minutes = [
    part("0,30", [0, 30]),
    part("*/20", [0, 20, 40]),
    part("5-7", [5, 6, 7]),
    part("59", [59]),
  ];
  const all = Array.from({ length: 24 }, (_, hour) => hour);
  const hours = [
    part("0-3", [0, 1, 2, 3]),
    part(
      "*/2",
      all.filter((hour) => hour % 2 === 0),
    ),
    part("2", [2]),
    part("23", [23]),
    part("*", all),
  ];
  const stride = inTier({ usual: 18, long: 1 });
  for (const window of windows.filter((_, index) => index % stride === 0)) {
    for (const minute of minutes) {
      for (const hour of hours) {
        check(window, { minute, hour });
      }
    }
  }
});

const names = ["sun", "MON", "tue", "wed", "thu", "FRI", "sat"] as const;
const date = fc.integer({ min: 1, max: 31 });
const weekday = fc.oneof(fc.nat(7).map(String), fc.constantFrom(...names));
const listOf = (item: fc.Arbitrary<string>) =>
  fc.array(item, { minLength: 1, maxLength: 3 }).map((items) => items.join(","));
const dates = fc.oneof(
  fc.constantFrom("*", "?", "L", "LW", "*/7", "1-7", "8-31/5"),
  listOf(
    fc.oneof(
      date.map(String),
      date.map((day) => `${day}W`),
      fc.constant("L"),
    ),
  ),
);
const months = fc.oneof(
  fc.constantFrom("*", "2", "feb", "*/5"),
  listOf(fc.integer({ min: 1, max: 12 }).map(String)),
);
const weekdays = fc.oneof(
  fc.constantFrom("*", "?", "MON-FRI", "1-5/2", "*/2"),
  listOf(
    fc.oneof(
      weekday,
      fc.tuple(weekday, fc.constantFrom("#1", "#4", "#5", "L")).map((parts) => parts.join("")),
    ),
  ),
);

test("days: last ones, nearest and n-th weekdays, either or both of date and weekday, as the library has them", () => {
  fc.assert(
    fc.property(dates, months, weekdays, fc.boolean(), fc.nat(200 * 365), (dom, month, dow, isBoth, day) => {
      const pattern = `30 4 ${dom} ${month} ${isBoth ? `+${dow}` : dow}`;
      const library = new Cron(pattern, { mode: "5-part", utcOffset: 0 });
      const next = (afterMs: number) => cronAfterMs({ kind: "cron", pattern, zone: "UTC" }, afterMs);
      let atMs: number | null = fromMs + day * dayMs;
      for (let times = 0; times < 8 && atMs !== null; times++) {
        const expected: Date | null = library.nextRun(new Date(atMs));
        const actual = next(atMs);
        expect([pattern, actual === null ? null : new Date(actual)]).toEqual([pattern, expected]);
        atMs = actual;
      }
      expect(cronFault({ kind: "cron", pattern, zone: "UTC" }) === null).toBe(atMs !== null);
    }),
    { numRuns: inTier({ usual: 120, long: 2000 }) },
  );
});
