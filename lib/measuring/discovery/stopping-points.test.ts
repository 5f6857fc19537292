import { expect, test } from "bun:test";
import { exactOutcome, failurePerNode, flowsNeeded, stoppingPoint } from "./stopping-points.ts";

const counts = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 33, 65, 97, 101];

test.each([
  [0.05, [6, 11, 16, 21, 27, 33, 39, 45, 51, 57, 63, 70, 77, 83, 90, 97, 211, 463, 731, 765]],
  [0.01, [8, 15, 21, 28, 36, 43, 51, 58, 66, 74, 82, 90, 98, 106, 115, 123, 264, 567, 886, 927]],
])("stopping points at a failure of %p are the published ones", (failure, expected) => {
  expect(counts.map((k) => stoppingPoint(k, failure))).toEqual(expected);
  expect([stoppingPoint(1, failure), flowsNeeded(0, failure)]).toEqual([0, 0]);
});

test.each([
  [2, 0.03125, 10.84],
  [3, 0.03771, 15.79],
  [4, 0.04239, 20.76],
  [5, 0.0476, 26.69],
  [6, 0.04498, 32.71],
  [8, 0.04412, 44.72],
  [10, 0.0463, 56.71],
  [16, 0.04753, 96.65],
  [32, 0.04835, 210.7],
  [64, 0.04842, 462.6],
])(
  "an even balancer of %p branches is missed in %p of runs, with %p flows on average",
  (branches, failure, flows) => {
    const outcome = exactOutcome(branches, 0.05);
    expect(outcome.failure).toBeCloseTo(failure, 4);
    expect(outcome.meanFlows).toBeCloseTo(flows, 1);
  },
);

test("nodes share a failure so that all together have it", () => {
  expect(1 - (1 - failurePerNode(0.05, 7)) ** 7).toBeCloseTo(0.05, 12);
  expect(failurePerNode(0.05, 1)).toBe(0.05);
});

test.each([
  [0, 0.05],
  [1.5, 0.05],
  [2, 0],
  [2, 1],
])("%p successors at a failure of %p are refused", (k, failure) => {
  expect(() => stoppingPoint(k, failure)).toThrow(RangeError);
});
