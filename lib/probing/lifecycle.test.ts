import { expect, test } from "bun:test";
import {
  isTerminal,
  isTransitionAllowed,
  notAfterMs,
  type PartStatus,
  unsentProbes,
  wholeStatus,
} from "./lifecycle.ts";
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

test("what is final stays, and nothing queues again", () => {
  const all: PartStatus[] = ["queued", "running", "complete", "cancelled", "failed", "expired"];
  const moves = all.flatMap((from) =>
    all.filter((to) => isTransitionAllowed(from, to)).map((to) => `${from} ${to}`),
  );
  expect(moves.filter((move) => isTerminal(move.split(" ")[0] as PartStatus))).toEqual([]);
  expect(isTransitionAllowed("running", "queued")).toBe(false);
  expect(moves).toHaveLength(6 + 5);
});

test("the slowest agent decides how long a measurement may take", () => {
  const parts = [
    { probes: 1000, rateProbesPerSec: 100 },
    { probes: 1000, rateProbesPerSec: 10 },
  ];
  expect(notAfterMs(5000, parts)).toBe(5000 + 2 * 100_000 + 600_000);
});

test("what was sent more than once is not given back", () => {
  expect([unsentProbes(10, 3), unsentProbes(10, 12)]).toEqual([7, 0]);
});

test("a record holds what the slowest agent sends in 10 s", () => {
  expect(recordProbesOf([100, 7])).toBe(70);
  expect(slowestRate(null)).toBe(100);
});
