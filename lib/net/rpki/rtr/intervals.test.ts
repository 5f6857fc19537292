import { expect, test } from "bun:test";
import { allowedIntervals } from "./intervals.ts";

test.each([
  [
    [3600, 600, 7200],
    [3600, 600, 7200],
  ],
  [
    [0, 0, 0],
    [1, 1, 600],
  ],
  [
    [90_000, 9000, 200_000],
    [86_400, 7200, 172_800],
  ],
  [
    [3600, 700, 600],
    [300, 300, 600],
  ],
])("intervals %p are taken as %p", (given, taken) => {
  const [refreshSec = 0, retrySec = 0, expireSec = 0] = given;
  expect(Object.values(allowedIntervals({ refreshSec, retrySec, expireSec }))).toEqual(taken);
});
