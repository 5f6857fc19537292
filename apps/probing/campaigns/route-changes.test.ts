import { expect, test } from "bun:test";
import { afterUpdates, type RoutePaths, routeChanges } from "./route-changes.ts";

const reporter = "192.0.2.1 192.0.2.9";
const other = "192.0.2.1 192.0.2.8";
const wide = "203.0.113.0/24";
const narrow = "203.0.113.128/25";
const targets = ["203.0.113.9", "203.0.113.200", "198.51.100.1"];

const update = (prefix: string, path: string | null, atNs = 1n, by = reporter) => ({
  ...{ prefix, path, atNs, reporter: by },
});
const changes = (before: RoutePaths, ...updates: ReturnType<typeof update>[]) =>
  routeChanges(before, afterUpdates(before, updates), targets);
const known = afterUpdates({}, [update(wide, "64500 64501"), update(wide, "64499 64501", 1n, other)]);

test("another path, from one of two peers, concerns the targets that the prefix covers", () => {
  expect(changes(known, update(wide, "64500 64502", 2n))).toEqual([
    {
      prefix: wide,
      destinations: ["203.0.113.200", "203.0.113.9"],
      reporters: 1,
      text: `${wide}: 64500 64501 → 64500 64502, peer 192.0.2.9 of router 192.0.2.1`,
    },
  ]);
});

test("the same path again, an older one, and another prefix change nothing", () => {
  expect(changes(known, update(wide, "64500 64501", 3n))).toEqual([]);
  expect(changes(known, update(wide, "64500 64502", 0n))).toEqual([]);
  expect(changes(known, update("198.18.0.0/15", "64500", 3n))).toEqual([]);
});

test("a longer prefix takes over its targets, and gives them back", () => {
  const longer = update(narrow, "64500 64666", 2n);
  expect(changes(known, longer)).toEqual([
    {
      prefix: narrow,
      destinations: ["203.0.113.200"],
      reporters: 1,
      text: `${narrow}: no route → 64500 64666, instead of ${wide}, peer 192.0.2.9 of router 192.0.2.1`,
    },
  ]);
  expect(changes(afterUpdates(known, [longer]), update(narrow, null, 3n))).toEqual([
    {
      prefix: narrow,
      destinations: ["203.0.113.200"],
      reporters: 1,
      text: `${narrow}: 64500 64666 → withdrawn, ${wide} covers it, peer 192.0.2.9 of router 192.0.2.1`,
    },
  ]);
});

test("a change of a shorter prefix does not concern targets of a longer one", () => {
  const both = afterUpdates(known, [update(narrow, "64500 64666", 2n)]);
  expect(changes(both, update(wide, "64500 64502", 3n)).map((one) => one.destinations)).toEqual([
    ["203.0.113.9"],
  ]);
});

test("withdrawn by all", () => {
  expect(changes(known, update(wide, null, 2n), update(wide, null, 2n, other))).toMatchObject([
    { prefix: wide, reporters: 2, text: expect.stringContaining("→ withdrawn, peer 192.0.2.8") },
  ]);
});

test("IPv6, a router's own table, and texts that are not a prefix", () => {
  const before = afterUpdates({}, [update("2001:db8::/32", "", 1n, "2001:db8::1 ::"), update("none", "1")]);
  const after = afterUpdates(before, [
    update("2001:db8::/32", "64500", 2n, "2001:db8::1 ::"),
    update("none", "2", 2n),
  ]);
  expect(routeChanges(before, after, ["2001:db8:51::1", "x"])).toMatchObject([
    { destinations: ["2001:db8:51::1"], text: "2001:db8::/32: (empty) → 64500, router 2001:db8::1" },
  ]);
});
