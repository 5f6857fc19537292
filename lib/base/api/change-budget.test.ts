import { expect, test } from "bun:test";
import { type ChangeBudget, changesLeft } from "./change-budget.ts";

const nowMs = Date.parse("2026-11-23T06:00:00Z");
const inSec = (seconds: number) => new Date(nowMs + 1000 * seconds).toISOString();
const budget = (spentSec: number | null, heldSec: number | null = null): ChangeBudget => ({
  ...{ max: 5, every_seconds: 600 },
  spent_until: spentSec === null ? null : inSec(spentSec),
  held_until: heldSec === null ? null : inSec(heldSec),
});

test.each<[ChangeBudget, number, number | null]>([
  [budget(null), 5, null],
  [budget(-1), 5, null],
  [budget(0), 5, null],
  [budget(1), 4, 1],
  [budget(600), 4, 600],
  [budget(601), 3, 1],
  [budget(2999), 0, 599],
  [budget(3000), 0, 600],
  // More than all is never spent: a clock that is behind makes it look so.
  [budget(3050), 0, 650],
  [budget(3000, 1200), 0, 1200],
  [budget(1800, 1), 0, 600],
  [budget(1800, 0), 2, 600],
])("%j: %d left, one more in %p s", (told, left, moreSec) => {
  expect(changesLeft(told, nowMs)).toEqual({
    left,
    oneMoreAtMs: moreSec === null ? null : nowMs + 1000 * moreSec,
  });
});
