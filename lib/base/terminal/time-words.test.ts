import { expect, test } from "bun:test";
import { agoInWords, durationInWords, timeInWords } from "./time-words.ts";

test.each([
  [0, "1 s"],
  [59_001, "1 min"],
  [61_000, "1 min 1 s"],
  [11_520_000, "3 h 12 min"],
  [90_061_000, "1 d 1 h"],
])("%d ms are %s", (ms, words) => {
  expect(durationInWords(ms)).toBe(words);
});

test("times are shown relative to now, and in UTC", () => {
  const nowMs = Date.parse("2026-01-31T12:00:00Z");
  expect(agoInWords("2026-01-31T11:59:59.5Z", nowMs)).toBe("now");
  expect(agoInWords("2026-01-31T10:30:00Z", nowMs)).toBe("1 h ago");
  expect(agoInWords(null, nowMs)).toBe("");
  expect(timeInWords("2026-01-31T13:00:00+01:00")).toBe("2026-01-31 12:00:00");
});
