import { expect, test } from "bun:test";
import { clockOffset, delaysBySource, timeLine } from "./time-line.ts";

const event = (timeNs: bigint, source: string, name: string) => ({
  ...{ timeNs, source, event: name, detail: "" },
  ...({ plane: "control", subject: "2001:db8:51::/48" } as const),
});

test("the comparison with the shortest round trip counts, and its half is the uncertainty", () => {
  const samples = [
    { askedNs: 0n, answeredNs: 1000n, theirsNs: 5900n },
    { askedNs: 2000n, answeredNs: 2100n, theirsNs: 7050n },
  ];
  expect(clockOffset(samples)).toEqual({ addNs: -5000n, withinNs: 50n });
  expect(clockOffset([])).toBeNull();
});

test("events of several clocks are put in order by the controller's", () => {
  const offsets = new Map([["collector", { addNs: -5000n, withinNs: 50n }]]);
  const rows = timeLine(
    [
      event(1000n, "controller", "asked"),
      event(6200n, "collector", "first-sight"),
      event(1100n, "west", "daemon"),
    ],
    offsets,
  );
  expect(rows.map(({ event: name, atNs, withinNs }) => [name, atNs, withinNs])).toEqual([
    ["asked", 1000n, null],
    ["daemon", 1100n, null],
    ["first-sight", 1200n, 50n],
  ]);
  expect(delaysBySource(rows, "first-sight", 1000n)).toEqual(new Map([["collector", 200n]]));
  expect(delaysBySource(rows, "first-sight", 1201n)).toEqual(new Map());
});
