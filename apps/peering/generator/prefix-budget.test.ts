import { expect, test } from "bun:test";
import { changesLeft } from "../../../lib/base/api/change-budget.ts";
import { PrefixBudget } from "./prefix-budget.ts";

const minute = 60_000;
const rules = { burst: 3, refillMs: 10 * minute };
const userHash = "a".repeat(64);
const prefix = "2001:db8:51::/48";
const lease = { userHash, prefix };

function route(since: string, parts: { prefix?: string; session?: string; userHash?: string } = {}) {
  return { ...lease, session: "peering_00001", since, ...parts };
}

function left(budget: PrefixBudget, whose: string, which: string, nowMs: number): number | null {
  const told = budget.changes(whose, which, nowMs);
  return told === null ? null : changesLeft(told, nowMs).left;
}

function look(nowMs: number, parts: { allowed?: readonly (typeof lease)[]; daemonStartedAt?: string } = {}) {
  return { allowed: [lease], daemonStartedAt: "once", nowMs, ...parts };
}

/** A prefix with a route from before: what is said when it changes at each of these minutes. */
function flap(budget: PrefixBudget, minutes: readonly number[]): number[] {
  budget.observe([route("before")], look(0));
  return minutes.filter((at) => budget.observe([route(String(at))], look(at * minute)).length > 0);
}

test("a burst is allowed, the change after it is one too many, and the prefix is refused until two may be made", () => {
  const budget = new PrefixBudget(rules);
  expect(flap(budget, [1, 2, 3, 4])).toEqual([4]);
  expect(
    budget
      .held(4 * minute)
      .get(userHash)
      ?.get(prefix),
  ).toBe(24 * minute);
  expect(budget.held(24 * minute).size).toBe(0);
  expect(left(budget, userHash, prefix, 24 * minute)).toBe(2);
});

test("one change in ten minutes goes on for ever", () => {
  const budget = new PrefixBudget(rules);
  expect(
    flap(
      budget,
      Array.from({ length: 50 }, (_, n) => 10 * n),
    ),
  ).toEqual([]);
});

test("a route that stays as it is costs nothing; one that was gone for a look and is back has changed", () => {
  const budget = new PrefixBudget(rules);
  for (const at of [0, 1, 2, 3, 4, 5, 6]) {
    expect(budget.observe([route("once")], look(at))).toEqual([]);
  }
  expect(left(budget, userHash, prefix, 6)).toBe(3);
  budget.observe([], look(7));
  budget.observe([route("again")], look(8));
  expect(left(budget, userHash, prefix, 8)).toBe(2);
});

test("what was there at the start, and what comes back because the policy allows it again, costs nothing", () => {
  const budget = new PrefixBudget(rules);
  budget.observe([route("before")], look(0));
  budget.observe([], look(1, { allowed: [] }));
  budget.observe([route("allowed again")], look(2));
  expect(left(budget, userHash, prefix, 2)).toBe(3);
  budget.observe([route("changed then")], look(3));
  expect(left(budget, userHash, prefix, 3)).toBe(2);
});

test("after a start of the generator or of the daemon the first route costs nothing, the next one does", () => {
  const budget = new PrefixBudget(rules);
  budget.observe([], look(0));
  budget.observe([route("first")], look(1));
  expect(left(budget, userHash, prefix, 1)).toBe(3);
  budget.observe([route("second")], look(2));
  expect(left(budget, userHash, prefix, 2)).toBe(2);
  // The daemon starts again: its sessions, and so the route, come at a later look.
  budget.observe([], look(3, { daemonStartedAt: "again" }));
  budget.observe([route("third")], look(4, { daemonStartedAt: "again" }));
  expect(left(budget, userHash, prefix, 4)).toBe(2);
  budget.observe([route("fourth")], look(5, { daemonStartedAt: "again" }));
  expect(left(budget, userHash, prefix, 5)).toBe(1);
  budget.observe([route("fifth")], look(6, { daemonStartedAt: "once more" }));
  expect(left(budget, userHash, prefix, 6)).toBe(1);
});

test("prefixes and users do not pay for each other, sessions of one prefix do", () => {
  const other = { userHash, prefix: "2001:db8:52::/48" };
  const stranger = { userHash: "b".repeat(64), prefix: "2001:db8:53::/48" };
  const budget = new PrefixBudget(rules);
  const leases = [lease, other, stranger];
  const before = leases.map((one) => route("before", one));
  budget.observe(before, look(0, { allowed: leases }));
  const routes = [
    route("1"),
    route("1", { session: "peering_00002" }),
    route("1", other),
    route("1", stranger),
  ];
  expect(budget.observe(routes, look(1, { allowed: leases }))).toEqual([]);
  expect(leases.map((one) => left(budget, one.userHash, one.prefix, 1))).toEqual([1, 2, 2]);
});

test("a prefix that is held back already is not held back longer", () => {
  const budget = new PrefixBudget(rules);
  expect(flap(budget, [1, 2, 3, 4, 5, 6])).toEqual([4]);
  expect(
    budget
      .held(6 * minute)
      .get(userHash)
      ?.get(prefix),
  ).toBe(24 * minute);
});

test("a restart forgets nothing that matters, and keeps nothing that does not", () => {
  const budget = new PrefixBudget(rules);
  flap(budget, [1, 2, 3, 4]);
  const next = new PrefixBudget(rules);
  next.restore(budget.text(5 * minute));
  expect(next.held(5 * minute)).toEqual(budget.held(5 * minute));
  expect(left(next, userHash, prefix, 5 * minute)).toBe(left(budget, userHash, prefix, 5 * minute));
  expect(JSON.parse(next.text(60 * minute)).prefixes).toEqual([]);
  for (const text of ["", "[]", '{"version":2,"prefixes":[]}', '{"version":1,"prefixes":[{"tokens":"x"}]}']) {
    next.restore(text);
  }
  expect(next.held(60 * minute).size).toBe(0);
});

test("without a limit nothing is counted", () => {
  const budget = new PrefixBudget({ burst: 1, refillMs: 0 });
  expect(flap(budget, [1, 2, 3, 4])).toEqual([]);
  expect(left(budget, userHash, prefix, 0)).toBeNull();
});
