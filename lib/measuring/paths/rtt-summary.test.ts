import { expect, test } from "bun:test";
import { rttSummary } from "./rtt-summary.ts";

test("quantiles lie between the two nearest values", () => {
  expect(rttSummary([[10, 20, 40, 80]])).toMatchObject({ p10Ms: 13, medianMs: 30, p90Ms: 68 });
  expect(rttSummary([[4]])).toMatchObject({ p10Ms: 4, medianMs: 4, p90Ms: 4 });
  expect(rttSummary([[4, 1, 2]])).toMatchObject({ minMs: 1, medianMs: 2, maxMs: 4 });
});

test("the standard deviation is that of the values themselves", () => {
  expect(rttSummary([[2, 4, 4, 4, 5, 5, 7, 9]])).toMatchObject({ meanMs: 5, standardDeviationMs: 2 });
});

test("jitter is the mean step of a flow, in the order of its answers", () => {
  expect(rttSummary([[1, 4, 2]])?.jitterMs).toBe(2.5);
  expect(rttSummary([[1, 2, 4]])?.jitterMs).toBe(1.5);
});

test("a change of flow is not a step", () => {
  expect(
    rttSummary([
      [1, 2],
      [50, 53],
    ])?.jitterMs,
  ).toBe(2);
  expect(rttSummary([[1], [50]])?.jitterMs).toBeNull();
});

test("without a time there is no summary", () => {
  expect(rttSummary([])).toBeNull();
  expect(rttSummary([[]])).toBeNull();
});
