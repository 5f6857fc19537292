import { expect, test } from "bun:test";
import { AnnouncementBudget, type SessionCount } from "./announcement-budget.ts";

const rules = { announcements: 10, suspensionMs: 1_800_000 };
const minute = 60_000;
const userHash = "a".repeat(64);

function count(updates: number, parts: Partial<SessionCount> = {}): SessionCount {
  return { userHash, session: "peering_00001", upAtMs: 0, updates, leases: 1, ...parts };
}

test("ten announcements in an hour are allowed, the eleventh is one too many", () => {
  const budget = new AnnouncementBudget(rules);
  expect(budget.observe([count(0)], 0)).toEqual([]);
  expect(budget.observe([count(10)], minute)).toEqual([]);
  expect(budget.observe([count(11)], 2 * minute)).toEqual([userHash]);
});

test("a suspension ends after its time, and the count begins at zero", () => {
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

test("a session that comes up again counts from zero, so dropping it is no way out", () => {
  const budget = new AnnouncementBudget(rules);
  budget.observe([count(0)], 0);
  const sessions = Array.from({ length: 11 }, (_, n) => count(1, { upAtMs: n * minute }));
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
  const other = { userHash: "b".repeat(64), session: "peering_00002" };
  budget.observe([count(0, { leases: 2 }), count(0, other)], 0);
  expect(budget.observe([count(20, { leases: 2 }), count(11, other)], minute)).toEqual([other.userHash]);
});

test("a quiet session is one session, though the daemon gives its start a millisecond off, or in whole seconds", () => {
  const budget = new AnnouncementBudget(rules);
  const starts = [0, 1, 0, -1, 999, 0, 1000, -999, 1, 0, 1, 0, 2];
  const over = starts.flatMap((upAtMs, n) => budget.observe([count(1, { upAtMs })], n * minute));
  expect(over).toEqual([]);
});

test("sessions that each begin a little later than the one before are several", () => {
  const budget = new AnnouncementBudget(rules);
  const over = Array.from({ length: 40 }, (_, n) =>
    budget.observe([count(1, { upAtMs: n * 2000 })], n * 2000),
  );
  expect(over.flat()).toEqual([userHash]);
});

test("a start that is not known: who counts fewer than before has restarted", () => {
  const budget = new AnnouncementBudget(rules);
  const unknown = (updates: number) => count(updates, { upAtMs: null });
  const counts = [0, 5, 3, 3, 5];
  const over = counts.flatMap((updates, n) => budget.observe([unknown(updates)], n * minute));
  expect(over).toEqual([]);
  expect(budget.observe([unknown(0), unknown(1)], 6 * minute)).toEqual([userHash]);
});

test("a restart forgets neither who is suspended, and why, nor what was announced before", () => {
  const before = new AnnouncementBudget(rules);
  const other = "b".repeat(64);
  before.observe([count(0), count(0, { userHash: other, session: "peering_00002" })], 0);
  before.observe([count(11), count(10, { userHash: other, session: "peering_00002" })], minute);
  before.suspend("c".repeat(64), "foreignAttribute", minute);
  const after = new AnnouncementBudget(rules);
  after.restore(before.text(2 * minute));
  expect(after.suspended(2 * minute)).toEqual(before.suspended(2 * minute));
  expect(after.reasons(2 * minute).get("c".repeat(64))).toBe("foreignAttribute");
  after.observe([count(20, { userHash: other, session: "peering_00002" })], 2 * minute);
  expect(after.observe([count(21, { userHash: other, session: "peering_00002" })], 3 * minute)).toEqual([
    other,
  ]);
});

test.each(["", "{", "[]", '{"version":2,"users":[]}', '{"version":1,"users":[{}]}'])(
  "%j restores nothing",
  (text) => {
    const budget = new AnnouncementBudget(rules);
    budget.restore(text);
    expect(budget.suspended(0).size).toBe(0);
  },
);
