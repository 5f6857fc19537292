import { expect, test } from "bun:test";
import { preferenceGroups } from "./preference-groups.ts";
import { preferencesOf } from "./preferences.ts";
import { siteShares } from "./site-shares.ts";
import { sweepSettings } from "./sweep.ts";

const sites = ["east", "west"];

/** Costs of each site to each target; a prepend costs 1. The cheapest announced site catches. */
const costs: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  "a/1": { west: 0, east: 0.5 },
  "a/2": { west: 0, east: 1.5 },
  "b/1": { west: 0, east: 9 },
  "b/2": { west: 9, east: 0 },
};
const rounds = sweepSettings({ sites, prepends: [1, 2], wait: 600 }).map((prepends) => ({
  sites: new Set(prepends.keys()),
  prepends,
  siteOf: new Map(
    Object.entries(costs).map(([target, cost]) => {
      const priced = [...prepends].map(([site, count]) => ({ site, price: (cost[site] ?? 0) + count }));
      return [target, priced.sort((a, b) => a.price - b.price)[0]?.site ?? ""];
    }),
  ),
}));

test("what each site catches by its prepends, and alone", () => {
  const [east, west] = siteShares(rounds).map(({ byPrepend, alone }) => [
    ...[...byPrepend].map(([count, { targets, of }]) => `+${count} ${targets}/${of}`),
    `alone ${alone?.targets}`,
  ]);
  expect(east).toEqual(["+0 1/4", "+1 1/4", "+2 1/4", "alone 4"]);
  expect(west).toEqual(["+0 3/4", "+1 2/4", "+2 1/4", "alone 4"]);
  expect(siteShares([])).toEqual([]);
});

test("groups of targets: the sites that they prefer, and what moves them", () => {
  const groups = preferenceGroups(preferencesOf(rounds), (target) =>
    target === "b/2" ? null : target.charAt(0),
  );
  expect(groups.map(({ group, best, movedBy }) => [group, Object.fromEntries(best), [...movedBy]])).toEqual([
    [
      "a",
      { west: 2 },
      [
        [1, 1],
        [2, 1],
      ],
    ],
    ["b", { west: 1 }, [[null, 1]]],
    ["", { east: 1 }, [[null, 1]]],
  ]);
});
