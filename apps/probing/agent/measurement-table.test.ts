import { expect, test } from "bun:test";
import { measurementKeepMs } from "./limits.ts";
import { MeasurementNumbers, MeasurementTable, noMeasurement } from "./measurement-table.ts";

function numbersOf(entries: number) {
  const table = MeasurementTable.allocate(entries);
  return { table: new MeasurementTable(table.buffer), numbers: new MeasurementNumbers(table) };
}

test("a name has one number, and the number gives the name back in another thread", () => {
  const { table, numbers } = numbersOf(8);
  const first = numbers.numberOf("première", 0) ?? -1;
  expect(numbers.numberOf("première", 1)).toBe(first);
  expect(numbers.numberOf("second", 1)).not.toBe(first);
  expect(table.nameOf(first)).toBe("première");
});

test("no measurement, an unknown number and a free place have no name", () => {
  const { table } = numbersOf(8);
  expect([noMeasurement, 5, -1].map((number) => table.nameOf(number))).toEqual([null, null, null]);
});

test("a full table gives no number until the one that was longest unused cannot be answered any more", () => {
  const { table, numbers } = numbersOf(4);
  const given = ["a", "b", "c"].map((name) => numbers.numberOf(name, 0) ?? -1);
  numbers.numberOf("a", 10);
  expect(numbers.numberOf("d", measurementKeepMs - 1)).toBeNull();
  const fourth = numbers.numberOf("d", measurementKeepMs) ?? -1;
  expect(table.nameOf(fourth)).toBe("d");
  expect(given.map((number) => table.nameOf(number))).toEqual(["a", null, "c"]);
  expect(given).not.toContain(fourth);
  // "c" is due too; "a" was used later.
  expect(numbers.numberOf("e", measurementKeepMs)).not.toBeNull();
  expect(numbers.numberOf("f", measurementKeepMs + 5)).toBeNull();
});
