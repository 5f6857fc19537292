import { expect, test } from "bun:test";
import fc from "fast-check";
import { type ProbeRange, ProbeRanges } from "./probe-ranges.ts";

function rangesOf(...given: readonly (readonly [number, number])[]): ProbeRanges {
  const ranges = new ProbeRanges();
  for (const [from, to] of given) {
    ranges.add({ from, to });
  }
  return ranges;
}

test("records in order make one range, and a gap stays a gap", () => {
  expect([...rangesOf([0, 10], [10, 20])]).toEqual([{ from: 0, to: 20 }]);
  const gap = rangesOf([20, 30], [0, 10]);
  expect([gap.coveredTo(0), gap.coveredTo(10), gap.coveredTo(25), gap.end]).toEqual([10, 10, 30, 30]);
  expect([...rangesOf([5, 5])]).toEqual([]);
});

test("every index is in it exactly if it is in a plain set of indices", () => {
  const range = fc
    .tuple(fc.nat(60), fc.nat(20))
    .map(([from, length]): ProbeRange => ({ from, to: from + length }));
  fc.assert(
    fc.property(fc.array(range, { maxLength: 20 }), (given) => {
      const ranges = rangesOf(...given.map(({ from, to }) => [from, to] as const));
      const plain = (index: number) => given.some(({ from, to }) => from <= index && index < to);
      for (let index = 0; index < 90; index++) {
        let end = index;
        while (plain(end)) {
          end++;
        }
        expect(ranges.coveredTo(index)).toBe(end);
      }
      expect(ranges.size).toBe(Array.from({ length: 90 }, (_, index) => index).filter(plain).length);
    }),
  );
});
