import { expect, test } from "bun:test";
import { spreadOf } from "./spread.ts";

test("the median of an odd number of rounds is the middle one, by size and not by turn", () => {
  expect(spreadOf([100, 9, 20])).toEqual({ median: 20, min: 9, max: 100 });
});

test("the median of an even number of rounds lies between the middle two", () => {
  expect(spreadOf([4, 1, 3, 2])).toEqual({ median: 2.5, min: 1, max: 4 });
});

test("one round is its own median; none has no median", () => {
  expect(spreadOf([7])).toEqual({ median: 7, min: 7, max: 7 });
  expect(() => spreadOf([])).toThrow(RangeError);
});
