import { expect, test } from "bun:test";
import { producersMax } from "./limits.ts";
import { recordNumberOf, TakenRecords } from "./taken-records.ts";

const numbered = (sequence: number, partition = 3) =>
  recordNumberOf({ producer: "east", sequence: String(sequence) }, partition) ?? {
    ...{ producer: "", sequence: 0, sequenceText: "" },
  };

test("a record has a number when both headers can be read", () => {
  const of = (producer: string, sequence: string) => recordNumberOf({ producer, sequence }, 7);
  expect(of("east", "12")).toEqual({ producer: "east/7", sequence: 12, sequenceText: "12" });
  for (const sequence of ["", "0", "-1", "1.5", "01", "1e3", "9".repeat(16)]) {
    expect(of("east", sequence)).toBeNull();
  }
  expect([of("", "1"), of("e".repeat(65), "1"), of("with space", "1")]).toEqual([null, null, null]);
  expect(recordNumberOf({}, 0)).toBeNull();
});

test("a record is known with its day, up to the highest number, in its own partition only", () => {
  const taken = new TakenRecords();
  taken.load([{ producer: "east/3", day: 100, sequence: 5 }]);
  expect([5, 6].map((sequence) => taken.has(numbered(sequence), 100))).toEqual([true, false]);
  // Rows of the other day may not have come to the store with those of the first.
  expect([taken.has(numbered(5), 101), taken.has(numbered(5, 4), 100)]).toEqual([false, false]);
  taken.add(numbered(9), [101]);
  taken.add(numbered(7), [101]);
  expect([taken.has(numbered(9), 101), taken.has(numbered(9), 100)]).toEqual([true, false]);
});

test("beyond the limit the longest silent writer is forgotten", () => {
  const taken = new TakenRecords();
  const one = (producer: string) => ({ producer, sequence: 1, sequenceText: "1" });
  taken.add(one("first"), [1]);
  taken.add(one("second"), [1]);
  taken.add(one("first"), [1]);
  for (let i = 0; i < producersMax - 1; i++) {
    taken.add(one(`more-${i}`), [1]);
  }
  expect([taken.has(one("first"), 1), taken.has(one("second"), 1)]).toEqual([true, false]);
});
