import { expect, test } from "bun:test";
import { RouterGroups } from "./router-groups.ts";

test("routers that may reply to the same probe are one group; a probe without a known router has none", () => {
  const groups = new RouterGroups(0);
  for (const routers of [["a"], ["b", "c"], undefined, ["d"], ["c", "e"], ["a"], ["e"]]) {
    groups.add(9, routers === undefined ? undefined : new Set(routers));
  }
  const [a, bc, none, d, ce, again, e] = groups.all();
  expect([none, again, ce, e]).toEqual([-1, a, bc, bc]);
  expect(new Set([a, bc, d]).size).toBe(3);
});

test("more probes than there was room for at first are all there", () => {
  const groups = new RouterGroups(0);
  for (let i = 0; i < 5000; i++) {
    groups.add(9, new Set([String(i % 7)]));
  }
  const all = groups.all();
  expect([all.length, new Set(all).size]).toEqual([5000, 7]);
});

test("near the agent, probes without a known router are one group per TTL, with all routers that replied there", () => {
  const groups = new RouterGroups(2);
  groups.hear(new Map([2, 3].map((ttl) => [ttl, new Set(["a", "b"].map((name) => `${name}${ttl}`))])));
  groups.hear(new Map([[2, new Set(["c2"])]]));
  for (const ttl of [1, 1, 2, 2, 3]) {
    groups.add(ttl, undefined);
  }
  groups.add(2, new Set(["c2"]));
  groups.add(3, new Set(["b3"]));
  const [one, again, two, twice, far, heard, b3] = groups.all();
  expect([again, twice, heard, far]).toEqual([one, two, two, -1]);
  expect(new Set([one, two, b3, -1]).size).toBe(4);
});
