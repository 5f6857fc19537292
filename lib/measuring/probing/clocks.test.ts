import { expect, test } from "bun:test";
import { clockOffset } from "./clocks.ts";

/** A machine whose clock is `ahead` of ours; the request and the answer are under way for so long. */
function exchange(askedNs: bigint, [there, stay, back]: readonly [bigint, bigint, bigint], ahead: bigint) {
  const receivedNs = askedNs + there + ahead;
  return { askedNs, receivedNs, sentNs: receivedNs + stay, answeredNs: askedNs + there + stay + back };
}

test("the true offset is within what is said, however uneven both ways are", () => {
  for (const ways of [
    [1n, 0n, 99n],
    [99n, 50n, 1n],
    [20n, 7n, 20n],
    [0n, 0n, 0n],
  ] as const) {
    for (const ahead of [0n, 5_000n, -5_000n]) {
      const found = clockOffset([exchange(10_000n, ways, ahead)], 10_000n + ahead);
      const error = (found?.addNs ?? 0n) + ahead;
      expect(error <= (found?.withinNs ?? -1n) && -error <= (found?.withinNs ?? -1n)).toBe(true);
      expect(found?.withinNs).toBe((ways[0] + ways[2] + 1n) / 2n);
    }
  }
});

test("the shortest exchange counts, unless a later one is nearer than clocks drift", () => {
  const hourNs = 3600n * 1_000_000_000n;
  const short = exchange(0n, [1_000_000n, 0n, 1_000_000n], 0n);
  const long = exchange(hourNs, [5_000_000n, 0n, 5_000_000n], 0n);
  expect(clockOffset([long, short], 1_000_000n)?.withinNs).toBe(1_000_000n);
  // 15 millionths of an hour are 54 ms.
  expect(clockOffset([long, short], hourNs)?.withinNs).toBe(5_000_075n);
});

test("nothing is said without a sample that can be true", () => {
  expect(clockOffset([], 0n)).toBeNull();
  expect(clockOffset([{ askedNs: 0n, receivedNs: 5n, sentNs: 50n, answeredNs: 10n }], 0n)).toBeNull();
});
