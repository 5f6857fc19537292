import { expect, test } from "bun:test";
import { plainAttributes } from "../../base/api/announcements.ts";
import type { PlannedAction } from "./plan.ts";
import { dueActions, standingAfter } from "./schedule.ts";

const announce = (sec: number, site: string): PlannedAction => ({
  ...{ sec, kind: "announce", site },
  as: { sites: [site], prepend: 0, ...plainAttributes },
});
const catchment = (sec: number, round: number): PlannedAction => ({
  ...{ sec, kind: "catchment", probes: 1, times: 1, everySec: 0, round },
});
const actions = [
  announce(0, "west"),
  announce(0, "east"),
  catchment(20, 0),
  announce(60, "west"),
  catchment(80, 1),
];
const due = (nowSec: number, changedSec: number | null, ...done: number[]) =>
  dueActions(actions, {
    ...{ startMs: 0, nowMs: 1000 * nowSec, changedMs: changedSec === null ? null : 1000 * changedSec },
    isDone: (number) => done.includes(number),
  }).map(([number]) => number);

test("each action comes at its time", () => {
  expect(due(0, null)).toEqual([0, 1]);
  expect([due(19, 0, 0, 1), due(20, 0, 0, 1)]).toEqual([[], [2]]);
  expect([due(59, 0, 0, 1, 2), due(60, 0, 0, 1, 2)]).toEqual([[], [3]]);
  expect(due(90, 60, 0, 1, 2, 3)).toEqual([4]);
});

test("after a delay the rest keeps its order and its distances", () => {
  // Nothing was done before: both changes first, the catchment as long after them as planned.
  expect(due(500, null)).toEqual([0, 1]);
  expect(due(500, null, 0)).toEqual([1]);
  expect([due(519, 500, 0, 1), due(520, 500, 0, 1)]).toEqual([[], [2]]);
  // The next change waits for it, and for its own distance.
  expect(due(570, 500, 0, 1)).toEqual([2]);
  expect([due(559, 500, 0, 1, 2), due(560, 500, 0, 1, 2)]).toEqual([[], [3]]);
});

test("an announcement that had lapsed counts from when it was made anew", () => {
  expect([due(119, 100, 0, 1), due(120, 100, 0, 1)]).toEqual([[], [2]]);
});

test("what stands after a kill; a site with a change that may have been made is left to that change", () => {
  const all: PlannedAction[] = [
    announce(0, "west"),
    announce(0, "east"),
    { sec: 60, kind: "withdraw", site: "east" },
  ];
  const sites = (asked: number[], done: number[]) => {
    const ledger = { asked: new Map(asked.map((one) => [one, 0n])), done: new Set(done) };
    return [...standingAfter(all, ledger).keys()];
  };
  expect(sites([0, 1], [0, 1])).toEqual(["west", "east"]);
  expect(sites([0, 1], [0])).toEqual(["west"]);
  expect(sites([0, 1, 2], [0, 1])).toEqual(["west"]);
  expect(sites([0, 1, 2], [0, 1, 2])).toEqual(["west"]);
});
