import { expect, test } from "bun:test";
import { ArrivalClock } from "./arrival-clock.ts";

/** Packets that had come, and milliseconds. */
type Look = readonly [packets: number, atMs: number];

function arrivalsAt(...looks: readonly Look[]) {
  const clock = new ArrivalClock(100);
  for (const look of looks) {
    clock.look(...look);
  }
  return clock.arrivals();
}

test("what the first look saw is not counted, nor the time before it", () => {
  const found = arrivalsAt([0, 102], [100, 104], [250, 106], [250, 108], [400, 110], [400, 112]);
  expect(found).toEqual({ packets: 400, timed: 300, elapsedMs: 6 });
});

test("packets that one look saw came since the look before", () => {
  expect(arrivalsAt([0, 102], [0, 104], [3000, 107], [3000, 109])).toEqual({
    packets: 3000,
    timed: 3000,
    elapsedMs: 3,
  });
  expect(arrivalsAt([3000, 101])).toEqual({ packets: 3000, timed: 3000, elapsedMs: 1 });
});

test("none came", () => {
  expect(arrivalsAt([0, 102], [0, 104])).toMatchObject({ packets: 0, timed: 0 });
});
