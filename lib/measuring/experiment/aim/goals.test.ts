import { expect, test } from "bun:test";
import { type AimTarget, goalRanges, isAmong, readGoal } from "./goals.ts";

test.each([
  ["west: 40 %", { site: "west", among: null, low: 0.4, high: 0.4 }],
  ["west: 40%", { site: "west", low: 0.4 }],
  ["west: at least 30.5 % of AS 64500", { among: { asn: 64_500 }, low: 0.305, high: 1 }],
  ["west: at most 10 % of 2001:db8::/32", { among: { prefix: "2001:db8::/32" }, low: 0, high: 0.1 }],
  ["none of AS64500 at east", { site: "east", among: { asn: 64_500 }, low: 0, high: 0 }],
  ["latency p90 below 80 ms", { kind: "latency", ratio: 0.9, belowMs: 80 }],
])("%s is a goal", (text, goal) => {
  expect(readGoal(text)).toMatchObject({ text, ...goal });
});

test.each([
  "west 40 %",
  "west: 140 %",
  "nobody at east",
  "nobody of 64500 at east",
  "latency below 80 ms",
  "",
])("%s is none", (text) => {
  expect(readGoal(text)).toBeNull();
});

const targets: AimTarget[] = [
  { address: "2001:db8::1", weight: 1, asn: 64_500 },
  { address: "2001:db9::1", weight: 2, asn: null },
];

test("a target is meant by its AS, or by a prefix", () => {
  expect(targets.map((target) => isAmong(target, { asn: 64_500 }))).toEqual([true, false]);
  expect(targets.map((target) => isAmong(target, { prefix: "2001:db8::/32" }))).toEqual([true, false]);
  expect(targets.map((target) => isAmong(target, null))).toEqual([true, true]);
});

test("none has no tolerance; an unknown latency may be either", () => {
  const goals = ["west: 40 %", "nobody of AS 64500 at east", "latency p90 below 80 ms"].flatMap(
    (text) => readGoal(text) ?? [],
  );
  const latencyOf = (target: number) => (target === 0 ? 20 : undefined);
  const ranges = goalRanges(goals, { sites: ["west", "east"], targets, latencyOf, tolerance: 0.02 });
  expect(ranges.map(({ low, high }) => [low.toFixed(2), high.toFixed(2)])).toEqual([
    ["0.38", "0.42"],
    ["0.00", "0.00"],
    ["0.90", "1.00"],
  ]);
  expect([0, 1].map((target) => ranges[2]?.partOf(target, 0))).toEqual([
    [1, 1],
    [0, 1],
  ]);
});
