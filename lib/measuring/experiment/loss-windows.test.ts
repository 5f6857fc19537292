import { expect, test } from "bun:test";
import { lossWindows } from "./loss-windows.ts";

const turns = 8;

/** A probe each ten nanoseconds; `.` has no answer, `l` has one and left fourteen nanoseconds late. */
const answered = (text: string) =>
  [...text].flatMap((one, i) =>
    one === "." ? [] : [{ sentNs: BigInt(10 * i + (one === "l" ? 14 : 0)), turn: i % turns }],
  );

test.each<[string, number, (bigint | null | number)[][]]>([
  ["aaaa", 1, []],
  ["aa...a", 1, [[10n, 20n, 50n, 3]]],
  ["aal", 1, []],
  ["al...la", 1, [[24n, 34n, 64n, 3]]],
  ["...a", 1, []],
  ["........aaa", 1, []],
  ["a...", 1, [[0n, 10n, null, 3]]],
  ["a.a...a.", 3, [[20n, 30n, 60n, 3]]],
  ["a.......a", 1, [[0n, 10n, 80n, 7]]],
  ["aa............l", 1, [[10n, 20n, 154n, 12]]],
  [
    "aa.lal.aa",
    1,
    [
      [10n, 20n, 44n, 1],
      [64n, 74n, 70n, 1],
    ],
  ],
  ["aa.....", 1, [[10n, 20n, null, 5]]],
  ["", 1, []],
])("%s, of at least %d", (text, lostMin, expected) => {
  const watch = { everyNs: 10n, times: text.length, turns, lostMin };
  const found = lossWindows(answered(text), watch);
  expect(
    found.map(({ last, firstLostNs, again, lost }) => [
      last.sentNs,
      firstLostNs,
      again?.sentNs ?? null,
      lost,
    ]),
  ).toEqual(expected);
});
