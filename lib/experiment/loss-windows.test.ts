import { expect, test } from "bun:test";
import { lossWindows } from "./loss-windows.ts";

/** A probe each nanosecond; `.` has no answer. */
const probes = (text: string) => [...text].map((one, i) => ({ sentNs: BigInt(i), isAnswered: one !== "." }));

test.each<[string, number, (bigint | null)[][]]>([
  ["aaaa", 1, []],
  ["aa...a", 1, [[1n, 2n, 5n]]],
  ["...a", 1, [[null, 0n, 3n]]],
  ["a...", 1, [[0n, 1n, null]]],
  ["a.a...a.", 3, [[2n, 3n, 6n]]],
  ["", 1, []],
])("%s, of at least %d", (text, lostMin, expected) => {
  const found = lossWindows(probes(text), lostMin);
  expect(
    found.map(({ lastAnsweredNs, firstLostNs, againNs }) => [lastAnsweredNs, firstLostNs, againNs]),
  ).toEqual(expected);
});
