import { expect, test } from "bun:test";
import { changeBetween, flipsOf, sharesBy, sharesOf, sitesOf } from "./catchment-rounds.ts";

/** Text as "a:west b:west,east c:" gives the sites of each target. */
function round(text: string) {
  const parts = text.split(" ").map((part) => part.split(":"));
  const targets = parts.map(([target = ""]) => target);
  const replies = parts.flatMap(([target = "", sites = ""]) =>
    sites
      .split(",")
      .filter((site) => site !== "")
      .map((site) => ({ target, site })),
  );
  return sitesOf({ targets, replies }).sites;
}

test("a target is at a site, at several, or silent", () => {
  expect(sharesOf(round("a:west b:west,west c:east d:east,west e:"))).toEqual({
    targetsBySite: new Map([
      ["west", 2],
      ["east", 1],
    ]),
    unstable: ["d"],
    silent: 1,
  });
});

test("an answer of a target that was not asked is counted apart", () => {
  const { sites, strangers } = sitesOf({ targets: ["a"], replies: [{ target: "b", site: "west" }] });
  expect([strangers, sites.get("a")?.size, sites.has("b")]).toEqual([1, 0, false]);
});

test("what has changed between two rounds; unstable targets moved nowhere", () => {
  const before = round("a:west b:west c:west,east d: e:east");
  const after = round("a:west b:east c:east d:west e:");
  expect(changeBetween(before, after)).toEqual({
    moved: [{ target: "b", from: "west", to: "east" }],
    stayed: 1,
    appeared: 1,
    disappeared: 1,
  });
});

test("flips are counted past rounds without an answer", () => {
  const rounds = ["a:west b:west", "a: b:west", "a:east b:west", "a:west b:west"].map(round);
  expect(flipsOf(rounds)).toEqual(new Map([["a", 2]]));
});

test("shares of groups", () => {
  const groups = sharesBy(round("a1:west a2:east b1:west x:west"), (name) =>
    name === "x" ? null : name.charAt(0),
  );
  expect([...groups].map(([name, group]) => [name, Object.fromEntries(group)])).toEqual([
    ["a", { west: 1, east: 1 }],
    ["b", { west: 1 }],
    ["", { west: 1 }],
  ]);
});
