import { expect, test } from "bun:test";
import { paceOf } from "./pace.ts";

function largestShare(groups: Int32Array, order: Uint32Array, recordProbes: number): number {
  let most = 0;
  for (let from = 0; from < order.length; from += recordProbes) {
    const own = new Map<number, number>();
    for (const probe of order.subarray(from, from + recordProbes)) {
      const group = groups[probe] ?? -1;
      const sum = (own.get(group) ?? 0) + 1;
      own.set(group, sum);
      most = group < 0 ? most : Math.max(most, sum);
    }
  }
  return most;
}

test("no second has more probes than the rate, nor more of a group than its limit, and each probe comes once", () => {
  for (let size = 1; size < 400; size += 7) {
    for (const routers of [1, 2, 5, 50]) {
      const groups = Int32Array.from({ length: size }, (_, i) => ((i * i) % (routers + 1)) - 1);
      const limits = { rateProbesPerSec: 40, groupProbesPerSec: 3, seed: size };
      const { order, recordProbes } = paceOf(groups, limits);
      expect(recordProbes).toBeLessThanOrEqual(40);
      expect(largestShare(groups, order, recordProbes)).toBeLessThanOrEqual(3);
      expect([...order].sort((a, b) => a - b)).toEqual([...groups.keys()]);
    }
  }
});

test("where no router is known only the rate counts", () => {
  const none = new Int32Array(1000).fill(-1);
  const { recordProbes } = paceOf(none, { rateProbesPerSec: 100, groupProbesPerSec: 1, seed: 0 });
  expect(recordProbes).toBe(100);
});

test("the same seed gives the same order", () => {
  const groups = Int32Array.from({ length: 100 }, (_, i) => i % 3);
  const limits = { rateProbesPerSec: 10, groupProbesPerSec: 10, seed: 4 };
  expect(paceOf(groups, limits)).toEqual(paceOf(groups, limits));
  expect(paceOf(groups, { ...limits, seed: 5 }).order).not.toEqual(paceOf(groups, limits).order);
});
