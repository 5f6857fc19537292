/** What a plan expects of an exchange server is what the policy generator's own count makes of the same changes. */
import { expect, test } from "bun:test";
import { PrefixBudget } from "../../apps/peering/generator/prefix-budget.ts";
import { laidAgainst, leftAt, siteBudget } from "../../lib/measuring/experiment/exchange-budget.ts";

const at = { userHash: "a", prefix: "2001:db8:51::/48" };
const startMs = 1_800_000_000_000;

/** An exchange that looks at once. True for each change that it takes. */
function countAtExchange(rules: { burst: number; refillMs: number }) {
  const budget = new PrefixBudget(rules);
  const look = (nowMs: number) => ({ allowed: [at], nowMs, daemonStartedAt: "once" });
  budget.observe([{ ...at, session: "s", since: "before" }], look(startMs - 1e9));
  return {
    change: (sec: number) => {
      const nowMs = startMs + 1000 * sec;
      const isHeld = budget.held(nowMs).size > 0;
      const over = budget.observe([{ ...at, session: "s", since: String(sec) }], look(nowMs));
      return !isHeld && over.length === 0;
    },
    told: (sec: number) => budget.changes(at.userHash, at.prefix, startMs + 1000 * sec),
  };
}

/** Numbers that are the same in each run. */
function* drawn(seed: number): Generator<number> {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state / 2 ** 32;
  }
}

test("all changes that a plan may make are taken, what is left is as said, and what it refuses is refused", () => {
  let refusals = 0;
  for (let seed = 0; seed < 2000; seed++) {
    const numbers = drawn(seed);
    const draw = (high: number) => Math.floor((numbers.next().value ?? 0) * high);
    const rules = { burst: 1 + draw(6), refillMs: 1000 * (60 + draw(600)) };
    const exchange = countAtExchange(rules);
    // Changes before the experiment, all within the budget or one too many.
    for (let sec = -3000; sec < 0; sec += 1 + draw(1500)) {
      exchange.change(sec);
    }
    const told = exchange.told(0);
    expect(told).not.toBeNull();
    if (told === null) {
      continue;
    }
    const budget = siteBudget(told, startMs);
    const moments = [draw(1000)];
    for (let step = 0; step < 8; step++) {
      moments.push((moments.at(-1) ?? 0) + 1 + draw(900));
    }
    const { refused, leftBySec, fullSec } = laidAgainst(moments, budget);
    for (const [sec, left] of leftBySec) {
      expect([seed, sec, exchange.change(sec)]).toEqual([seed, sec, true]);
      expect([seed, left]).toEqual([seed, leftAt(siteBudget(exchange.told(sec) ?? told, startMs), sec)]);
    }
    if (refused === null) {
      expect(Math.abs(fullSec - siteBudget(exchange.told(0) ?? told, startMs).fullSec)).toBeLessThan(0.01);
      continue;
    }
    refusals += 1;
    // 15 s before that time it is not taken; at that time it is.
    const isEarly = refused.sec < refused.possibleSec - 17;
    expect([seed, exchange.change(isEarly ? refused.sec : refused.possibleSec)]).toEqual([seed, !isEarly]);
  }
  expect(refusals).toBeGreaterThan(200);
});
