import { expect, test } from "bun:test";
import { requestBatches, wireBytes } from "./request-batches.ts";

const recordOf = (bytes: number) => ({ key: "k", value: new Uint8Array(bytes), headers: { name: "text" } });

test("every record is in one slice, in order, and no slice of several is over the limit", () => {
  const records = [500, 10, 900, 20, 3000, 1, 1, 1].map(recordOf);
  const cut = [...requestBatches(records, 1000)];
  expect(cut.flat()).toEqual(records);
  for (const slice of cut.filter(({ length }) => length > 1)) {
    expect(slice.reduce((sum, record) => sum + wireBytes(record), 0)).toBeLessThanOrEqual(1000);
  }
  expect(cut.map((slice) => slice.length)).toEqual([2, 1, 1, 1, 3]);
});

test("no records, no slice", () => {
  expect([...requestBatches([], 1000)]).toEqual([]);
});
