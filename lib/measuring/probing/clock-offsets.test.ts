import { expect, test } from "bun:test";
import fc from "fast-check";
import { ClockOffsets } from "./clock-offsets.ts";
import { clockOffset } from "./clocks.ts";

const time = fc.bigInt(0n, 10_000_000_000n);
const way = fc.bigInt(-20n, 3_000_000n);
const sample = fc
  .tuple(time, way, fc.bigInt(-1_000_000n, 2_000_000_000n), way, fc.bigInt(-5_000n, 5_000n))
  .map(([askedNs, there, stay, back, ahead]) => {
    const receivedNs = askedNs + there + ahead;
    return { askedNs, receivedNs, sentNs: receivedNs + stay, answeredNs: askedNs + there + stay + back };
  });

test("the bound is that of all samples compared one by one", () => {
  fc.assert(
    fc.property(fc.array(sample, { maxLength: 30 }), fc.array(time), (samples, times) => {
      const offsets = new ClockOffsets(samples);
      for (const atNs of times) {
        expect(offsets.at(atNs)?.withinNs).toBe(clockOffset(samples, atNs)?.withinNs);
      }
    }),
  );
});
