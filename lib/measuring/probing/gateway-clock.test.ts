import { expect, test } from "bun:test";
import { GatewayClock } from "./gateway-clock.ts";

/** The gateway is this far ahead of us. */
const aheadMs = 7000.25;

/** An answer that took as long on each way, at a time of ours. */
function answer(askedMs: number, [thereMs, backMs]: readonly [number, number], ahead = aheadMs) {
  const timeMs = Math.floor(askedMs + thereMs + ahead);
  return { askedMs, answeredMs: askedMs + thereMs + backMs, timeMs, steps: 0 };
}

test("the quickest answer of the last minutes says most, whatever way took long", () => {
  const clock = new GatewayClock();
  expect(clock.offset()).toBeNull();
  const ways = [
    [80, 5],
    [2, 3],
    [5, 400],
    [90, 1],
  ] as const;
  for (const [i, way] of ways.entries()) {
    clock.take(answer(1000 * i, way));
    const { offset_ms: offsetMs = 0, within_ms: withinMs = 0 } = clock.offset() ?? {};
    expect(Math.abs(offsetMs - aheadMs)).toBeLessThanOrEqual(withinMs);
  }
  expect(clock.offset()?.within_ms).toBeLessThan(4);
});

test("a step of our clock makes what was compared before worthless", () => {
  const clock = new GatewayClock();
  clock.take(answer(0, [1, 1]));
  clock.take({ ...answer(1000, [40, 40], aheadMs - 5000), steps: 1 });
  const { offset_ms: offsetMs = 0, within_ms: withinMs = 0 } = clock.offset() ?? {};
  expect(Math.abs(offsetMs - (aheadMs - 5000))).toBeLessThanOrEqual(withinMs);
});

test("what was compared long ago says less", () => {
  const clock = new GatewayClock();
  clock.take(answer(0, [1, 1]));
  const hourMs = 3_600_000;
  const [then, now] = [clock.offset()?.within_ms ?? 0, clock.offset(hourMs)?.within_ms ?? 0];
  // 15 millionths of an hour.
  expect(now - then).toBeCloseTo(54, 3);
});

test("an old answer is forgotten", () => {
  const clock = new GatewayClock();
  clock.take(answer(0, [0, 0]));
  for (let i = 1; i <= 120; i++) {
    clock.take(answer(1000 * i, [20, 20]));
  }
  expect(clock.offset()?.within_ms).toBeGreaterThan(19);
});
