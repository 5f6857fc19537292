import { expect, test } from "bun:test";
import { notAfterMs, type PartStatus, wholeStatus } from "./lifecycle.ts";
import { recordProbesOf, slowestRate } from "./record-probes.ts";

test.each<[PartStatus[], PartStatus]>([
  [["queued", "queued"], "queued"],
  [["queued", "complete"], "running"],
  [["running", "cancelled"], "running"],
  [["complete", "complete"], "complete"],
  [["complete", "expired"], "expired"],
  [["expired", "failed"], "failed"],
  [["failed", "cancelled", "complete"], "cancelled"],
])("parts %j make a whole that is %s", (parts, whole) => {
  expect(wholeStatus(parts)).toBe(whole);
});

test("the slowest agent decides how long a measurement may take", () => {
  const parts = [
    { probes: 1000, rateProbesPerSec: 100 },
    { probes: 1000, rateProbesPerSec: 10 },
  ];
  expect(notAfterMs(5000, parts)).toBe(5000 + 2 * 100_000 + 600_000);
});

test("a record holds what the slowest agent sends in 10 s", () => {
  expect(recordProbesOf([100, 7])).toBe(70);
  expect(slowestRate(null)).toBe(100);
});
