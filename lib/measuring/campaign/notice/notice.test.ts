import { expect, test } from "bun:test";
import { inTier } from "../../../../tests/run/tier.ts";
import { afterVerdict, notHeld, type Verdict } from "./hold.ts";
import { correlation } from "./nodes.ts";
import { afterAgentRun, afterSeriesRun, newSeries } from "./notice.ts";
import { afterRtts, medianInterval, noRtt, type RttState } from "./rtt-shift.ts";
import { everyRule } from "./rules.ts";
import { type ProbedHop, seriesRun } from "./series-run.ts";

/** Chance that is the same in each run of the tests: a linear congruential generator. */
function luckFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A network: next hops of each router, of which a balancer takes one by flow and salt. */
type Network = Readonly<Record<string, readonly string[]>>;

const balanced: Network = {
  agent: ["a"],
  a: ["b1", "b2", "b3"],
  ...{ b1: ["c"], b2: ["c"], b3: ["c"] },
  c: ["d1", "d2"],
  ...{ d1: ["e"], d2: ["e"] },
  e: ["target"],
};
const delayMs: Readonly<Record<string, number>> = { b2: 3, b3: 6, b4: 3, d2: 2 };

interface Weather {
  readonly network?: Network;
  readonly salt?: number;
  readonly lossShare?: number;
  readonly extraMs?: number;
  /** Nobody answers from this TTL on. */
  readonly deadFrom?: number;
}

const flowCount = 24;
const ttlMax = 8;
const asns: Readonly<Record<string, number>> = { a: 64_496, c: 64_497, e: 64_498, x: 64_500 };
const asnOf = (address: string) => asns[address] ?? null;

function cellsOf(luck: () => number, weather: Weather): ProbedHop[] {
  const { network = balanced, salt = 0, lossShare = 0, extraMs = 0, deadFrom = 99 } = weather;
  return Array.from({ length: flowCount }, (_, flow) => {
    let at = "agent";
    let rttMs = 20 + extraMs;
    return Array.from({ length: ttlMax }, (_, i) => {
      const ttl = i + 1;
      const next = network[at] ?? [];
      at = at === "target" ? at : (next[spread(flow, salt, at) % next.length] ?? at);
      rttMs += delayMs[at] ?? 0;
      const isSilent = ttl >= deadFrom || luck() < lossShare;
      const answer = { router: at, rttMs: rttMs + luck(), isTarget: at === "target" };
      return {
        flow: String(flow),
        ttl,
        sent: 1,
        answered: isSilent ? 0 : 1,
        answers: isSilent ? [] : [answer],
      };
    });
  }).flat();
}

function spread(flow: number, salt: number, router: string): number {
  let hash = Math.imul(flow + 1, 2_654_435_761) ^ Math.imul(salt + 7, 40_503_011);
  for (const char of router) {
    hash = Math.imul(hash ^ char.charCodeAt(0), 16_777_619);
  }
  return (hash ^ (hash >>> 15)) >>> 7;
}

/** `run detector kind` of each change; the state goes through JSON, as where it is kept. */
function changes(runs: readonly Weather[], seed = 1): string[] {
  const luck = luckFrom(seed);
  let state = newSeries;
  return runs.flatMap((weather, number) => {
    const step = afterSeriesRun(everyRule, state, seriesRun(cellsOf(luck, weather), state.reachTtl), asnOf);
    state = JSON.parse(JSON.stringify(step.state));
    return step.changes.map(({ detector, kind }) => `${number} ${detector} ${kind}`);
  });
}

function times<Item>(count: number, item: Item): Item[] {
  return Array.from({ length: count }, () => item);
}

const calm = { lossShare: 0.01 };
const around = (event: Weather, count: number) =>
  [...times(10, calm), ...times(count, event), ...times(10, calm)] as const;

test("days of 1 % loss in which balancers deal their flows out anew says nothing", () => {
  const runs = inTier({ usual: 576, long: 2016 });
  for (const [seed, every] of [
    [1, 1],
    [3, 288],
  ] as const) {
    const week = Array.from({ length: runs }, (_, run) => ({ ...calm, salt: Math.floor(run / every) }));
    expect(changes(week, seed)).toEqual([]);
  }
});

test("30 % loss is raised once and cleared once", () => {
  const said = changes(around({ lossShare: 0.3 }, 4));
  expect(said.map((one) => one.replace(/^\d+ /, ""))).toEqual(["loss raised", "loss cleared"]);
});

test("20 ms more is raised once and cleared once", () => {
  expect(changes(around({ ...calm, extraMs: 20 }, 4))).toEqual(["11 rtt raised", "16 rtt cleared"]);
});

test("another router on the way is raised once by each that sees it, and cleared once", () => {
  const detour = { ...balanced, c: ["x"], x: ["e"] };
  expect(changes(around({ ...calm, network: detour }, 4)).toSorted()).toEqual([
    "11 new_as raised",
    "11 new_link raised",
    "11 next_hops raised",
    "16 new_as cleared",
    "16 new_link cleared",
    "16 next_hops cleared",
  ]);
});

test("a change that lasts is usual after twelve runs, and so is the way back", () => {
  const detour = { ...calm, network: { ...balanced, a: ["b4"], b4: ["c"] } };
  const said = changes([...times(10, calm), ...times(40, detour)]);
  expect(said.filter((one) => one.includes("raised"))).toHaveLength(2);
  expect(said.filter((one) => one.includes("cleared"))).toHaveLength(2);
  expect(said.at(-1)).toMatch(/^2\d /);
});

test("a branch that is met late does not count where flows were too few to have met all", () => {
  const few = (salt: number) =>
    seriesRun(
      cellsOf(luckFrom(1), { salt }).filter(({ flow }) => Number(flow) < 3),
      null,
    );
  let state = newSeries;
  for (let run = 0; run < 80; run++) {
    const step = afterSeriesRun(everyRule, state, few(Math.floor(run / 10)), asnOf);
    state = step.state;
    expect(step.changes.filter(({ detector }) => detector !== "rtt")).toEqual([]);
  }
});

test("a path that ends before its target is raised, with its loss, and cleared", () => {
  const said = changes(around({ ...calm, deadFrom: 5 }, 4));
  expect(said.filter((one) => one.includes("truncation"))).toEqual([
    "11 truncation raised",
    "16 truncation cleared",
  ]);
  expect(said.filter((one) => one.includes("loss"))).toHaveLength(2);
  expect(said).toHaveLength(4);
});

test("a loop is raised and cleared", () => {
  const loop = { ...balanced, e: ["c"] };
  expect(changes(around({ ...calm, network: loop }, 3)).filter((one) => one.includes("loop"))).toEqual([
    "11 loop raised",
    "15 loop cleared",
  ]);
});

test("runs without answers say nothing of paths, and do not count", () => {
  const said = changes(around({ deadFrom: 1 }, 5));
  expect(said.map((one) => one.replace(/^\d+ /, ""))).toEqual(["loss raised", "loss cleared"]);
});

test("an agent that sends nothing is silent, and says so once", () => {
  let hold = notHeld;
  const said = [true, true, false, true, false, false, true, true, true].flatMap((hasSent, run) => {
    const step = afterAgentRun(everyRule, hold, hasSent, "it is offline");
    hold = step.state;
    return step.change === null ? [] : [`${run} ${step.change.kind}: ${step.change.text}`];
  });
  expect(said).toEqual([
    "4 raised: The agent sent nothing: it is offline",
    "8 cleared: The agent is sending again",
  ]);
});

test("n of m: unknown runs are left out, and what alternates stays raised", () => {
  const rule = { raise: 2, of: 3, settle: null };
  let state = notHeld;
  const said = [..."gbugbugbgbggg"].flatMap((letter, run) => {
    const verdicts: Readonly<Record<string, Verdict>> = { g: "good", b: "bad", u: "unknown" };
    const step = afterVerdict(rule, state, verdicts[letter] ?? "unknown");
    state = step.state;
    return step.change === null ? [] : [`${run} ${step.change}`];
  });
  expect(said).toEqual(["4 raised", "12 cleared"]);
});

test("the interval of a median has the ranks n/2 ± 1.96 sqrt(n)/2", () => {
  const values = Array.from({ length: 25 }, (_, i) => i + 1);
  expect(medianInterval(values)).toEqual({ low: 7, median: 13, high: 18 });
  expect(medianInterval([1, 2])).toBeNull();
});

test("times that fall are a shift too; times whose interval touches the usual one, from either side, are none", () => {
  const rule = { gapMs: 1, gapShare: 0.1 };
  const spread = (from: number, to: number) => times(25, 0).map((_, i) => from + ((to - from) * i) / 24);
  let state: RttState = noRtt;
  for (const run of times(4, spread(19, 21))) {
    state = afterRtts(rule, state, run).state;
  }
  const verdict = (run: readonly number[]) => afterRtts(rule, state, run).verdict;
  expect(verdict(spread(9, 11))).toBe("bad");
  expect(verdict(spread(29, 31))).toBe("bad");
  // Medians of 10 and 30, intervals up to 19.6 and down from 20.4.
  expect(verdict([...times(12, 9), 10, ...times(12, 19.6)])).toBe("good");
  expect(verdict([...times(12, 20.4), 30, ...times(12, 31)])).toBe("good");
});

test("next hops that swap all flows are contrary, those that share them otherwise are not", () => {
  expect(correlation([10, 0, 0], [0, 10, 0])).toBeCloseTo(-0.5);
  expect(correlation([9, 7, 0], [7, 9, 0])).toBeCloseTo(0.91, 2);
  expect(correlation([5, 5], [3, 7])).toBe(0);
});

test("loss counts probes that should have reached the target, whatever silent routers do", () => {
  const cell = (ttl: number, router: string | null) => ({
    ...{ flow: "1", ttl, sent: 2, answered: router === null ? 0 : 2 },
    answers: router === null ? [] : times(2, { router, rttMs: 5, isTarget: router === "t" }),
  });
  expect(seriesRun([cell(1, "a"), cell(2, null), cell(3, "t"), cell(4, null)], null)).toMatchObject({
    ...{ sent: 4, lost: 2, rttsMs: [5, 5], reached: 1, reachTtl: 3 },
  });
  expect(seriesRun([cell(1, "a"), cell(3, null)], 3)).toMatchObject({ sent: 2, lost: 2, reached: 0 });
  expect(seriesRun([cell(1, "a"), cell(3, null)], null)).toMatchObject({ sent: 0, lost: 0 });
});
