import { expect, test } from "bun:test";
import { Reoffer } from "./reoffer.ts";

test("routes that are not served are offered anew after half a minute, then less and less often", () => {
  const reoffer = new Reoffer();
  const seconds = Array.from({ length: 300 }, (_, second) => second);
  expect(seconds.filter((second) => reoffer.isDue(true, 1000 * second))).toEqual([30, 90, 210]);
  expect(reoffer.isDue(false, 300_000)).toBe(false);
  expect(reoffer.isDue(true, 301_000)).toBe(false);
  expect(reoffer.isDue(true, 331_000)).toBe(true);
});
