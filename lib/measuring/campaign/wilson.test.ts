import { expect, test } from "bun:test";
import { wilson } from "./wilson.ts";

test("the interval of a share that was counted", () => {
  const rounded = (hits: number, all: number) =>
    Object.values(wilson(hits, all)).map((value) => Number(value.toFixed(4)));
  expect(rounded(0, 20)).toEqual([0, 0.1611]);
  expect(rounded(3, 20)).toEqual([0.0524, 0.3604]);
  expect(rounded(10, 20)).toEqual([0.2993, 0.7007]);
  expect(rounded(0, 0)).toEqual([0, 1]);
});
