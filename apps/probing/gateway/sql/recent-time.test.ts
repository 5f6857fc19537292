import { expect, test } from "bun:test";
import { RecentTime } from "./recent-time.ts";

test("who has used much lately is nicer, and is forgiven with time", () => {
  const recent = new RecentTime();
  expect(recent.niceOf("ann", 0)).toBe(0);
  recent.add("ann", 1000, 0);
  expect(recent.niceOf("ann", 0)).toBe(6);
  recent.add("ann", 30_000, 1000);
  expect(recent.niceOf("ann", 1000)).toBe(19);
  expect(recent.niceOf("bob", 1000)).toBe(0);
  expect(["ann", "bob"].map((who) => recent.isHeavy(who, 1000))).toEqual([true, false]);
  expect(recent.niceOf("ann", 91_000)).toBe(6);
  expect(recent.niceOf("ann", 600_000)).toBe(0);
});
