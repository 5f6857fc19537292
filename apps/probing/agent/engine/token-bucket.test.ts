import { expect, test } from "bun:test";
import { TokenBucket } from "./token-bucket.ts";

/** Takes all that is allowed, every `stepUs`, for `durationUs`; returns what each step gave. */
function drain(bucket: TokenBucket, stepUs: number, durationUs: number): number[] {
  const taken: number[] = [];
  for (let nowUs = stepUs; nowUs <= durationUs; nowUs += stepUs) {
    const count = bucket.available(nowUs);
    bucket.take(count);
    taken.push(count);
  }
  return taken;
}

const sum = (counts: number[]) => counts.reduce((total, count) => total + count, 0);

test.each([10, 1000, 100_000, 1_000_000])("%d a second come out as that many, within one", (rate) => {
  const taken = drain(new TokenBucket(rate, 0), 100, 5_000_000);
  expect(Math.abs(sum(taken) - 5 * rate)).toBeLessThanOrEqual(1);
});

test.each([
  [10, 1],
  [1000, 10],
  [100_000, 1000],
])("at %d a second, a pause is followed by a burst of %d at most", (rate, burst) => {
  const bucket = new TokenBucket(rate, 0);
  expect(bucket.available(60_000_000)).toBe(burst);
  expect(Math.max(...drain(bucket, 3_000_000, 30_000_000))).toBe(burst);
});

test("a refusal has the time to wait", () => {
  const bucket = new TokenBucket(100, 0);
  bucket.take(bucket.available(0));
  expect(bucket.waitUs()).toBe(10_000);
  expect(bucket.available(9_999)).toBe(0);
  expect(bucket.available(10_000)).toBe(1);
});

test("a clock that steps back allows nothing extra", () => {
  const bucket = new TokenBucket(100, 0);
  bucket.take(bucket.available(0));
  bucket.available(-5_000_000);
  expect(bucket.available(-4_999_999)).toBe(0);
});

test("a rate that changes holds from then on, and no burst comes of the change", () => {
  const bucket = new TokenBucket(100, 0);
  bucket.take(bucket.available(0));
  // 10 ms at 100/s are one token; from there on a thousand times as fast.
  bucket.setRate(100_000, 10_000);
  expect([bucket.available(10_000), bucket.burst]).toEqual([1, 1000]);
  expect(bucket.available(15_000)).toBe(501);
  bucket.setRate(100, 15_000);
  expect(bucket.available(15_000)).toBe(1);
});
