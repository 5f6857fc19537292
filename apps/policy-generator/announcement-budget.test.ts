import { expect, test } from "bun:test";
import { AnnouncementBudget } from "./announcement-budget.ts";

const rules = { announcements: 10, suspensionMs: 1_800_000 };
const minute = 60_000;
const userHash = "a".repeat(64);

function count(updates: number, parts: Partial<{ session: string; leases: number; userHash: string }> = {}) {
  return { userHash, session: "peering_00001 12:00", updates, leases: 1, ...parts };
}

test("ten announcements in an hour are allowed, the eleventh is one too many", () => {
  const budget = new AnnouncementBudget(rules);
  expect(budget.observe([count(0)], 0)).toEqual([]);
  expect(budget.observe([count(10)], minute)).toEqual([]);
  expect(budget.observe([count(11)], 2 * minute)).toEqual([userHash]);
});

test("a suspension ends after its time, and the count begins anew", () => {
  const budget = new AnnouncementBudget(rules);
  budget.observe([count(0)], 0);
  budget.observe([count(11)], minute);
  expect(budget.suspended(minute + rules.suspensionMs - 1).get(userHash)).toBe(minute + rules.suspensionMs);
  expect(budget.suspended(minute + rules.suspensionMs).size).toBe(0);
  expect(budget.observe([count(12)], minute + rules.suspensionMs)).toEqual([]);
});

test("what is an hour old does not count any more", () => {
  const budget = new AnnouncementBudget(rules);
  budget.observe([count(0)], 0);
  budget.observe([count(10)], minute);
  expect(budget.observe([count(20)], 61 * minute)).toEqual([]);
  expect(budget.observe([count(21)], 62 * minute)).toEqual([userHash]);
});

test("a session that comes up anew counts from nothing, so dropping it is no way out", () => {
  const budget = new AnnouncementBudget(rules);
  budget.observe([count(0)], 0);
  const sessions = Array.from({ length: 11 }, (_, n) => count(1, { session: `peering_00001 12:${n + 1}` }));
  const over = sessions.flatMap((session, n) => budget.observe([session], (n + 1) * minute));
  expect(over).toEqual([userHash]);
});

test("what was there when the generator started, and what reconfiguring made, is not held against anybody", () => {
  const budget = new AnnouncementBudget(rules);
  expect(budget.observe([count(500)], 0)).toEqual([]);
  budget.rebase([count(1000)]);
  expect(budget.observe([count(1001)], minute)).toEqual([]);
});

test("each lease has its own share, and users do not pay for each other", () => {
  const budget = new AnnouncementBudget(rules);
  const other = { userHash: "b".repeat(64), session: "peering_00002 12:00" };
  budget.observe([count(0, { leases: 2 }), count(0, other)], 0);
  expect(budget.observe([count(20, { leases: 2 }), count(11, other)], minute)).toEqual([other.userHash]);
});
