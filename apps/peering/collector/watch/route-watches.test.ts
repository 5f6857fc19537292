import { expect, test } from "bun:test";
import { watchesMax, watchesOfOneMax } from "./limits.ts";
import { RouteWatches } from "./route-watches.ts";

function watches(): RouteWatches {
  let ids = 0;
  return new RouteWatches({ listen: () => () => {} }, () => `watch${ids++}`);
}

test("idle watches of a few networks give a place to another one, and no more than their fair share", () => {
  const all = watches();
  const networks = watchesMax / watchesOfOneMax;
  const held = Array.from({ length: watchesMax }, (_, i) => all.begin(`net${i % networks}`, "", () => true));
  expect(held).not.toContain(null);
  held[0]?.moved(1000);
  const other = all.begin("other", "", () => true);
  expect([other?.watch.endReason, all.open]).toEqual([null, watchesMax]);
  const ended = held.filter((one) => one?.watch.endReason !== null);
  expect(ended).toHaveLength(1);
  expect(ended).not.toContain(held[0] ?? null);
  // Its own network has most now, as others: it may have no more than an equal share.
  for (let i = 0; i < watchesMax; i++) {
    all.begin("other", "", () => true);
  }
  const left = held.filter((one) => one?.watch.endReason === null).length;
  expect(left).toBeGreaterThanOrEqual(watchesMax - watchesOfOneMax);
  expect(all.counts.refused).toBeGreaterThan(0);
});

test("who left may come back where there is a place, and a network alone keeps its own", () => {
  const all = watches();
  const first = all.begin("net", "order", () => true);
  all.leave(first?.id ?? "");
  expect(all.open).toBe(0);
  const back = all.begin("net", "order", () => true, first?.id ?? "");
  expect([back?.isResumed, back?.watch === first?.watch, all.open]).toEqual([true, true, 1]);
  all.end(back?.id ?? "");
  expect(all.open).toBe(0);
  const alone = Array.from({ length: watchesMax }, (_, i) => all.begin(`net${i}`, "", () => true));
  expect(all.begin("other", "", () => true)).toBeNull();
  expect(alone.every((one) => one?.watch.endReason === null)).toBe(true);
  all.close();
});
