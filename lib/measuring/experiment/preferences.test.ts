import { expect, test } from "bun:test";
import { preferencesOf } from "./preferences.ts";
import { sweepSettings } from "./sweep.ts";

const sites = ["west", "east", "north"];
const settings = sweepSettings({ sites, prepends: [0, 1, 2, 3], wait: 600 });

/** What each target would pay for a site, and for each prepend there; the cheapest site is the one it chooses. */
function play(targets: Readonly<Record<string, { cost: Record<string, number>; perPrepend: number }>>) {
  return settings.map((setting) => ({
    sites: new Set(setting.keys()),
    prepends: setting,
    siteOf: new Map(
      Object.entries(targets).map(([target, { cost, perPrepend }]) => {
        const priced = [...setting].map(
          ([site, count]) => [site, (cost[site] ?? 0) + count * perPrepend] as const,
        );
        const [best] = priced.sort(([, a], [, b]) => a - b);
        return [target, best?.[0] ?? ""];
      }),
    ),
  }));
}

test("a sweep asks for all sites, each one longer, each one left out, each one alone, and nothing twice", () => {
  expect(settings).toHaveLength(1 + 3 * 3 + 3 + 3);
  expect(sweepSettings({ sites: ["west"], prepends: [0, 2, 2], wait: 600 })).toHaveLength(2);
});

test("the order of sites is that of the costs, and how many prepends move a target", () => {
  const found = preferencesOf(
    play({
      "near west": { cost: { west: 1, east: 2.5, north: 9 }, perPrepend: 1 },
      "by contract": { cost: { west: 9, east: 100, north: 1 }, perPrepend: 0 },
    }),
  );
  expect(found.get("near west")).toEqual({
    order: ["west", "east", "north"],
    movedByPrepend: 2,
    movedTo: "east",
  });
  expect(found.get("by contract")).toEqual({
    order: ["north", "west", "east"],
    movedByPrepend: null,
    movedTo: null,
  });
});
