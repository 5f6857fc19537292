import { expect, test } from "bun:test";
import { MemoryWatch } from "./memory-watch.ts";

const mb = 2 ** 20;

/** How often garbage was collected after each of these sizes. */
function collections(usedMb: readonly number[]): number[] {
  let used = 0;
  let count = 0;
  using watch = new MemoryWatch({ usedBytes: () => used * mb, collect: () => count++ });
  return usedMb.map((one) => {
    used = one;
    watch.look();
    return count;
  });
}

test("garbage is collected whenever memory has grown by 96 MB, counted from where it was least", () => {
  expect(collections([300, 390, 397, 400, 490, 497])).toEqual([0, 0, 1, 1, 1, 2]);
  expect(collections([300, 250, 340, 347])).toEqual([0, 0, 0, 1]);
});

test("large services collect after a quarter of their memory", () => {
  expect(collections([2000, 2400, 2501, 3000, 3127])).toEqual([0, 0, 1, 1, 2]);
});
