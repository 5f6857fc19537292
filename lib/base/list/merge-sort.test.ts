import { expect, test } from "bun:test";
import { mergeSorted } from "./merge-sort.ts";
import { atOnce } from "./steps.ts";

/** Numbers without an order, of which some are equal. */
function mixed(count: number): number[] {
  return Array.from({ length: count }, (_, i) => (Math.imul(i, 2_654_435_761) >>> 0) % 50_000);
}

test.each([0, 1, 8191, 8192, 8193, 100_000])("%d numbers by size, and by a comparison", (count) => {
  const numbers = mixed(count);
  expect([...atOnce(mergeSorted(Float64Array.from(numbers)))]).toEqual(numbers.toSorted((a, b) => a - b));
  expect([...atOnce(mergeSorted(Uint32Array.from(numbers), (a, b) => b - a))]).toEqual(
    numbers.toSorted((a, b) => b - a),
  );
});

test("no step handles more than a run", () => {
  const steps = mergeSorted(Float64Array.from(mixed(100_000)));
  let count = 0;
  while (steps.next().done !== true) {
    count++;
  }
  // 13 runs are sorted, and merged four times.
  expect(count).toBeGreaterThanOrEqual(13 + 4 * 12);
});
