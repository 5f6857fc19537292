import { describe, expect, test } from "bun:test";
import { assignPrefixes, type SeenLinks } from "./agent-budgets.ts";

type Options = Parameters<typeof assignPrefixes>[1];

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);
const plain = { prefixes: 20, randomShare: 0, seed: 1 };

/** Prefixes of each agent, rising. */
function assigned(seen: Iterable<SeenLinks>, options: Options): number[][] {
  return assignPrefixes(seen, options).map((own) => {
    const prefixes = range(0, options.prefixes).filter((prefix) => own.has(prefix));
    expect(own.size).toBe(prefixes.length);
    return prefixes;
  });
}

describe("by worth", () => {
  const seen: SeenLinks[] = [
    { agent: 0, prefix: 3, links: range(0, 40) },
    { agent: 0, prefix: 4, links: range(20, 59) },
    { agent: 0, prefix: 5, links: range(40, 65) },
    { agent: 1, prefix: 3, links: range(0, 41) },
    { agent: 1, prefix: 6, links: [...range(60, 66), ...range(0, 30)] },
  ];

  test("each pair is taken for what it adds to those before it", () => {
    // Agent 1's way to 3 is the longest and covers what agent 0 saw there; then 5 adds 24, and 6 one.
    expect(assigned(seen, { ...plain, budgets: [1, 2] })).toEqual([[5], [3, 6]]);
  });

  test("in any order of what was seen", () => {
    const budgets = [1, 2];
    expect(assigned(seen.toReversed(), { ...plain, budgets })).toEqual(assigned(seen, { ...plain, budgets }));
  });

  test("prefixes and agents that there are no more are passed over", () => {
    expect(assigned(seen, { ...plain, prefixes: 4, budgets: [1] })).toEqual([[3]]);
    expect(assigned(seen.slice(1), { ...plain, prefixes: 1, budgets: [3] })).toEqual([[0]]);
  });
});

test("what worth leaves of the budgets is drawn, by agents in turns, none twice", () => {
  const drawn = assigned([{ agent: 0, prefix: 7, links: [1] }], { ...plain, budgets: [10, 10] });
  expect(drawn.map((own) => own.length)).toEqual([10, 10]);
  expect(drawn[0]).toContain(7);
  expect(new Set(drawn.flat()).size).toBeGreaterThanOrEqual(19);
  expect(assigned([], { ...plain, budgets: [30, 0] }).map((own) => own.length)).toEqual([20, 0]);
  expect(assigned([], { ...plain, budgets: [5], seed: 2 })).not.toEqual(
    assigned([], { ...plain, budgets: [5] }),
  );
  expect(assigned([], { ...plain, prefixes: 0, budgets: [5] })).toEqual([[]]);
});

test("a share of the budget is random even where all of it has worth", () => {
  const seen = range(0, 20).map((prefix) => ({
    agent: 0,
    prefix,
    links: range(prefix * 100, prefix * 101 + 1),
  }));
  const own = assigned(seen, { ...plain, budgets: [10], randomShare: 0.4 })[0] ?? [];
  // The six with most links, and four that are drawn.
  expect(own.slice(-6).every((prefix) => prefix >= 13)).toBe(true);
  expect(own.length).toBe(10);
  expect(own.some((prefix) => prefix < 13)).toBe(true);
});

test("the cover is as good as one that looks for the best pair each time, but for a few per cent", () => {
  const seen = range(0, 400).map((prefix) => ({
    agent: 0,
    prefix,
    links: range(0, 1 + (prefix % 31)).map((i) => (prefix * 7919 + i * 104_729) % 3000),
  }));
  const best = new Set<number>();
  for (let taken = 0; taken < 60; taken++) {
    const rests = seen.map(({ links }) => links.filter((link) => !best.has(link)));
    rests
      .reduce((most, rest) => (rest.length > most.length ? rest : most))
      .forEach((link) => void best.add(link));
  }
  const [own] = assigned(seen, { ...plain, prefixes: 400, budgets: [60] });
  const covered = new Set(own?.flatMap((prefix) => seen[prefix]?.links ?? []));
  expect(own?.length).toBe(60);
  expect(covered.size / best.size).toBeGreaterThan(1 / 1.05);
});

test.each([
  [{ randomShare: 1.5, budgets: [1] }, "random share is 1.5"],
  [{ randomShare: 0, budgets: [1, -1] }, "agent 1 is -1"],
])("%p is refused", (options, message) => {
  expect(() => assigned([], { ...plain, ...options })).toThrow(message);
});
