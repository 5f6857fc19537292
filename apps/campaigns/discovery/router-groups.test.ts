import { expect, test } from "bun:test";
import { RouterGroups } from "./router-groups.ts";

test("routers that may answer the same probe are one group; a probe that nobody is known for has none", () => {
  const groups = new RouterGroups();
  for (const routers of [["a"], ["b", "c"], undefined, ["d"], ["c", "e"], ["a"], ["e"]]) {
    groups.add(routers === undefined ? undefined : new Set(routers));
  }
  const [a, bc, none, d, ce, again, e] = groups.all();
  expect([none, again, ce, e]).toEqual([-1, a, bc, bc]);
  expect(new Set([a, bc, d]).size).toBe(3);
});

test("more probes than there was room for at first are all there", () => {
  const groups = new RouterGroups();
  for (let i = 0; i < 5000; i++) {
    groups.add(new Set([String(i % 7)]));
  }
  const all = groups.all();
  expect([all.length, new Set(all).size]).toEqual([5000, 7]);
});
