import { expect, test } from "bun:test";
import { marksMax } from "../limits.ts";
import { PublishMarks } from "./publish-marks.ts";

test("the number of probes before an offset", () => {
  const marks = new PublishMarks();
  expect([marks.probesBefore(9n), marks.coversAll(9n)]).toEqual([0, false]);
  marks.add(10n, 1000);
  marks.add(17n, 2000);
  marks.add(18n, 2500);
  const offsets = [0n, 9n, 10n, 16n, 17n, 18n, 99n];
  expect(offsets.map((offset) => marks.probesBefore(offset))).toEqual([0, 0, 1000, 1000, 2000, 2500, 2500]);
  expect(offsets.map((offset) => marks.coversAll(offset))).toEqual([...Array(5).fill(false), true, true]);
});

test("with many marks progress is coarser, never ahead, and its end exact", () => {
  const marks = new PublishMarks();
  const count = 10 * marksMax + 1;
  for (let i = 1; i <= count; i++) {
    marks.add(BigInt(2 * i), 3 * i);
  }
  for (let i = 1; i < count; i += 97) {
    const probes = marks.probesBefore(BigInt(2 * i));
    expect(probes).toBeLessThanOrEqual(3 * i);
    expect(probes).toBeGreaterThan(3 * i - 3 * 16);
  }
  expect(marks.probesBefore(BigInt(2 * count - 1))).toBeLessThan(3 * count);
  expect(marks.probesBefore(BigInt(2 * count))).toBe(3 * count);
});
