import { describe, expect, test } from "bun:test";
import { Permutation } from "./permutation.ts";

describe.each([1, 2, 3, 5, 64, 1000, 4097])("an order of %d", (size) => {
  test("has every number once", () => {
    const order = new Permutation(size, 7);
    const numbers = Array.from({ length: size }, (_, i) => order.at(i));
    expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: size }, (_, i) => i));
  });
});

test("depends on the seed, also where seeds differ beyond 32 bits", () => {
  const orderOf = (seed: number) => {
    const order = new Permutation(1000, seed);
    return Array.from({ length: 1000 }, (_, i) => order.at(i));
  };
  expect(orderOf(1)).toEqual(orderOf(1));
  expect(orderOf(1)).not.toEqual(orderOf(2));
  expect(orderOf(1)).not.toEqual(orderOf(1 + 2 ** 32));
});

test("leaves neighbours apart: no more steps of one than chance gives", () => {
  const order = new Permutation(100_000, 3);
  let steps = 0;
  for (let i = 1; i < 100_000; i++) {
    steps += Math.abs(order.at(i) - order.at(i - 1)) === 1 ? 1 : 0;
  }
  expect(steps).toBeLessThan(12);
});

test("puts each quarter of the numbers into each quarter of the places", () => {
  const size = 40_000;
  const order = new Permutation(size, 9);
  const counts = new Uint32Array(16);
  for (let i = 0; i < size; i++) {
    const cell = Math.floor((4 * i) / size) * 4 + Math.floor((4 * order.at(i)) / size);
    counts[cell] = (counts[cell] ?? 0) + 1;
  }
  for (const count of counts) {
    expect(Math.abs(count - size / 16)).toBeLessThan(250);
  }
});

test("stays exact in the largest sets", () => {
  const size = 2 ** 48 - 5;
  const order = new Permutation(size, 5);
  const seen = new Set(Array.from({ length: 10_000 }, (_, i) => order.at(size - 1 - i)));
  expect(seen.size).toBe(10_000);
  for (const number of seen) {
    expect(Number.isSafeInteger(number) && number >= 0 && number < size).toBe(true);
  }
});
