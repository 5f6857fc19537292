import { expect, test } from "bun:test";
import { producersMax } from "./limits.ts";
import { sequenceOf, TakenRecords, writerOf } from "./taken-records.ts";

test("a record has a number when both headers can be read", () => {
  expect([writerOf("east", 7), sequenceOf("12"), sequenceOf("9".repeat(15))]).toEqual([
    "east/7",
    12,
    1e15 - 1,
  ]);
  for (const sequence of ["", "0", "-1", "1.5", "01", "1e3", "9".repeat(16)]) {
    expect(sequenceOf(sequence), sequence).toBe(0);
  }
  expect([writerOf("", 1), writerOf("e".repeat(65), 1), writerOf("with space", 1)]).toEqual(["", "", ""]);
});

test("a record is known with its day, up to the highest number, in its own partition only", () => {
  const taken = new TakenRecords();
  taken.load([{ producer: "east/3", day: 100, sequence: 5 }]);
  // Rows of the other day may not have come to the store with those of the first.
  expect([taken.highest("east/3", 100), taken.highest("east/3", 101), taken.highest("east/4", 100)]).toEqual([
    5, 0, 0,
  ]);
  taken.add("east/3", 9, 101);
  taken.add("east/3", 7, 101);
  expect([taken.highest("east/3", 101), taken.highest("east/3", 100)]).toEqual([9, 5]);
  taken.add("east/4", 2, 100);
  expect([taken.highest("east/3", 101), taken.highest("east/4", 100)]).toEqual([9, 2]);
  taken.load([]);
  expect([taken.highest("east/3", 101), taken.highest("east/4", 100)]).toEqual([0, 0]);
});

test("beyond the limit the longest silent writer is forgotten", () => {
  const taken = new TakenRecords();
  taken.add("first", 1, 1);
  taken.add("second", 1, 1);
  taken.add("first", 1, 1);
  for (let i = 0; i < producersMax - 1; i++) {
    taken.add(`more-${i}`, 1, 1);
  }
  expect([taken.highest("first", 1), taken.highest("second", 1)]).toEqual([1, 0]);
});
