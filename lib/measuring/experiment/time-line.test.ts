import { expect, mock, test } from "bun:test";
import { atOnce } from "../../base/list/steps.ts";
import * as lines from "./time-line.ts";

const timeLine = (...given: Parameters<typeof lines.timeLine>) => atOnce(lines.timeLine(...given));
const reactionsTo = (...given: Parameters<typeof lines.reactionsTo>) => atOnce(lines.reactionsTo(...given));

const event = (timeNs: bigint, source: string, name: string, plane: "control" | "data" = "control") => ({
  ...{ timeNs, plane, source, event: name, detail: "" },
  subject: plane === "control" ? `peer of ${source}` : "203.0.113.1",
});

test("events of several clocks are put in order by the controller's, and say how sure that is", () => {
  const exchange = { askedNs: 0n, receivedNs: 5050n, sentNs: 5050n, answeredNs: 100n };
  const rows = timeLine(
    [
      event(1000n, "controller", "asked"),
      event(6200n, "collector", "route"),
      event(1100n, "west", "new-path", "data"),
    ],
    new Map([["collector", [exchange]]]),
  );
  expect(rows.map(({ event: name, atNs, withinNs }) => [name, atNs, withinNs])).toEqual([
    ["asked", 1000n, 0n],
    ["new-path", 1100n, null],
    ["route", 1200n, 50n],
  ]);
});

test("each source's signs count for the change before them, and the first has a name of its own", () => {
  const rows = timeLine(
    [
      event(10n, "controller", "asked"),
      event(12n, "collector", "route"),
      event(15n, "west", "new-path", "data"),
      event(17n, "east", "new-path", "data"),
      event(19n, "collector", "route-gone"),
      event(25n, "west", "new-path", "data"),
      event(31n, "collector", "route-gone"),
      event(5n, "collector", "route"),
      event(26n, "west", "catchment", "data"),
    ],
    new Map(),
  );
  const { reactions, rows: named } = reactionsTo([10n, 30n], rows);
  expect(reactions.map(({ withinNs: _within, ...one }) => Object.values(one))).toEqual([
    [0, "control", "peer of collector", 2n, 9n, 2],
    [0, "data", "west", 5n, 15n, 2],
    [0, "data", "east", 7n, 7n, 1],
    [1, "control", "peer of collector", 1n, 1n, 1],
  ]);
  expect(named.map(({ timeNs, event: name }) => `${timeNs} ${name}`)).toEqual([
    ...["5 route", "10 asked", "12 first-sight", "15 first-probe", "17 first-probe", "19 route-gone"],
    ...["25 new-path", "26 catchment", "31 route-gone"],
  ]);
});

test("the change before a sign is found in steps that do not grow with the changes", () => {
  const count = 2000;
  const changes = Array.from({ length: count }, (_, i) => BigInt(1000 * count + i));
  const signs = Array.from({ length: count }, (_, i) => event(BigInt(i), `collector ${i}`, "route"));
  const isBefore = mock((at: bigint) => at);
  const counted = new Proxy(changes, {
    get: (target, key, own) => {
      if (typeof key === "string" && /^\d+$/.test(key)) {
        isBefore(target[Number(key)] ?? 0n);
      }
      return Reflect.get(target, key, own);
    },
  });
  expect(reactionsTo(counted, timeLine(signs, new Map())).reactions).toEqual([]);
  // Halving 2,000 changes takes 11 comparisons; the change itself is read once more.
  expect(isBefore.mock.calls.length).toBeLessThanOrEqual(12 * count);
});
