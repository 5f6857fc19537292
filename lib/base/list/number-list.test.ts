import { expect, test } from "bun:test";
import { NumberList } from "./number-list.ts";
import { atOnce } from "./steps.ts";

test("numbers are in the order in which they came, across pieces", () => {
  const list = new NumberList();
  const values = Array.from({ length: 150_000 }, (_, i) => i * 1.5);
  for (const value of values) {
    list.push(value);
  }
  expect(list.length).toBe(values.length);
  expect([0, 65_535, 65_536, 131_072, 149_999].map((at) => list.at(at))).toEqual([
    0, 98_302.5, 98_304, 196_608, 224_998.5,
  ]);
  expect(list.at(values.length)).toBe(0);
  expect([...atOnce(list.taken())]).toEqual(values);
  expect(list.length).toBe(0);
});
