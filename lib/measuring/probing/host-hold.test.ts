import { expect, test } from "bun:test";
import { type HostLimits, hostHold } from "./host-hold.ts";
import { nextAllowedMs, parseHours } from "./host-hours.ts";

const none: HostLimits = { bytesPerDay: null, probesPerDay: null, hours: null };
const at = (time: string) => Date.parse(`2026-11-28T${time}Z`);

function holdAt(time: string, limits: Partial<HostLimits>, used = { packets: 0, bytes: 0 }) {
  const least = { packets: 1, bytes: 512 };
  return hostHold({ limits: { ...none, ...limits }, pausedAtMs: null, used, least, nowMs: at(time) });
}

test("a pause goes before all, and has no end", () => {
  const moment = { limits: none, used: { packets: 0, bytes: 0 }, least: { packets: 1, bytes: 512 } };
  expect(hostHold({ ...moment, pausedAtMs: 5, nowMs: 9 })).toEqual({
    words: "paused by its host",
    sinceMs: 5,
    untilMs: null,
  });
  expect(hostHold({ ...moment, pausedAtMs: null, nowMs: 9 })).toBeNull();
});

test.each([
  ["22:00-06:00", "23:00:00", "23:00:00"],
  ["22:00-06:00", "05:59:59", "05:59:59"],
  ["22:00-06:00", "06:00:00", "22:00:00"],
  ["08:00-12:00,14:00-18:00", "12:30:00", "14:00:00"],
  ["00:00-24:00", "23:59:59", "23:59:59"],
])("with the hours %s, at %s it may send from %s on", (hours, now, from) => {
  expect(nextAllowedMs(parseHours(hours) ?? [], at(now))).toBe(at(from));
});

test("the next hours may be tomorrow's", () => {
  const tomorrow = Date.parse("2026-11-29T08:00:00Z");
  expect(nextAllowedMs(parseHours("08:00-12:00") ?? [], at("19:00:30"))).toBe(tomorrow);
});

test.each([
  "",
  "8:00-12:00",
  "22:00",
  "25:00-26:00",
  "10:00-10:00",
  "10:00-24:01",
  "10:00-12:00;",
  "10:60-12:00",
])("%p is refused", (text) => {
  expect(parseHours(text)).toBeNull();
});

test("outside its hours, and at a limit of the day, it says until when", () => {
  expect(holdAt("12:00:00", { hours: "22:00-06:00" })).toMatchObject({
    words: "outside its host's hours (22:00-06:00 UTC) until 2026-11-28 22:00 UTC",
    untilMs: at("22:00:00"),
  });
  expect(holdAt("12:00:00", { probesPerDay: 1000 }, { packets: 999, bytes: 0 })).toBeNull();
  expect(holdAt("12:00:00", { probesPerDay: 1000 }, { packets: 1000, bytes: 0 })?.words).toBe(
    "at its host's limit of 1,000 probes a day until 2026-11-29 00:00 UTC",
  );
  expect(holdAt("12:00:00", { bytesPerDay: 50_000 }, { packets: 1, bytes: 49_488 })).toBeNull();
  expect(holdAt("12:00:00", { bytesPerDay: 50_000 }, { packets: 1, bytes: 49_489 })?.words).toBe(
    "at its host's limit of 50,000 bytes a day until 2026-11-29 00:00 UTC",
  );
});
