import { expect, test } from "bun:test";
import fc from "fast-check";
import { latestTickOf } from "../../../tests/packet/latest-tick.ts";
import { tickOfNs, tickOfUs, ticksPerWrap, wireTimeCode, wrapOf } from "./time-code.ts";

const tickNow = 17_952_519_000_123;

test("0 travels as 0xffff, and both mean 0", () => {
  const tick = ticksPerWrap * 1000;
  expect(wireTimeCode(tick)).toBe(0xffff);
  expect(latestTickOf(0, tick + 5)).toBe(tick);
  expect(latestTickOf(0xffff, tick + 5)).toBe(tick);
});

test("a code gives the tick back for as long as a wrap lasts, and no longer", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: ticksPerWrap - 1 }), fc.nat(1_000_000), (age, offset) => {
      const tick = tickNow + offset;
      expect(latestTickOf(wireTimeCode(tick), tick + age)).toBe(tick);
      expect(latestTickOf(wireTimeCode(tick), tick + age + ticksPerWrap)).toBe(tick + ticksPerWrap);
    }),
  );
});

test("ticks are tenths of a millisecond, wraps 6.5535 s", () => {
  expect(tickOfUs(1_795_251_900_012_399)).toBe(17_952_519_000_123);
  expect(tickOfNs(1_795_251_900_012_399_999n)).toBe(17_952_519_000_123);
  expect(wrapOf(ticksPerWrap * 7 - 1)).toBe(6);
});
