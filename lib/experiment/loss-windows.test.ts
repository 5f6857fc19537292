import { expect, test } from "bun:test";
import { lossWindows } from "./loss-windows.ts";

/** A probe each ten nanoseconds; `.` has no answer, `l` has one and left four nanoseconds late. */
const answered = (text: string) =>
  [...text].flatMap((one, i) => (one === "." ? [] : [BigInt(10 * i + (one === "l" ? 4 : 0))]));

test.each<[string, number, (bigint | null | number)[][]]>([
  ["aaaa", 1, []],
  ["aa...a", 1, [[10n, 20n, 50n, 3]]],
  ["alla", 1, []],
  ["al...la", 1, [[14n, 24n, 54n, 3]]],
  ["...a", 1, []],
  ["a...", 1, [[0n, 10n, null, 3]]],
  ["a.a...a.", 3, [[20n, 30n, 60n, 3]]],
  ["", 1, []],
])("%s, of at least %d", (text, lostMin, expected) => {
  const watch = { everyNs: 10n, endNs: BigInt(10 * (text.length - 1)), lostMin };
  const found = lossWindows(answered(text), watch);
  expect(found.map((one) => [one.lastAnsweredNs, one.firstLostNs, one.againNs, one.lost])).toEqual(expected);
});
