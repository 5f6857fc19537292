/** The rows that plots draw of a long series: no peak, dip or loss of a column of pixels is missing. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import type { PairSeries } from "../../apps/console/client/pair-series.ts";
import { sampledRows } from "../../apps/console/client/sampled-rows.ts";

const value = fc.option(fc.integer({ min: 0, max: 500 }), { nil: null });
const row = fc.record({
  gapSec: fc.integer({ min: 1, max: 90 }),
  low: value,
  high: value,
  loss: fc.nat(100),
});

function pairOf(
  rows: readonly { gapSec: number; low: number | null; high: number | null; loss: number }[],
): PairSeries {
  let sec = 1000;
  const atSec = rows.map(({ gapSec }) => {
    sec += gapSec;
    return sec;
  });
  const [lowMs, highMs] = [rows.map(({ low }) => low), rows.map(({ high }) => high)];
  return {
    name: "",
    atSec,
    run: atSec,
    lowMs,
    highMs,
    medianMs: highMs,
    lossPercent: rows.map(({ loss }) => loss),
  };
}

test("each column keeps its least, its greatest and its worst run, at most three", () => {
  const order = fc.tuple(
    fc.array(row, { minLength: 2, maxLength: 400 }),
    fc.integer({ min: 1, max: 40 }),
    fc.nat(100),
    fc.nat(100),
  );
  fc.assert(
    fc.property(order, ([rows, columns, a, b]) => {
      const pair = pairOf(rows);
      const [first, last] = [pair.atSec[0] ?? 0, pair.atSec.at(-1) ?? 0];
      const [from, to] = [first + Math.min(a, b), Math.max(first + Math.max(a, b) + 1, last - a)];
      const sampled = sampledRows(pair, [from, to], columns);
      expect(sampled).toEqual([...new Set(sampled)].toSorted((x, y) => x - y));
      expect(sampled.length).toBeLessThanOrEqual(3 * (columns + 1) + 2);
      const columnOf = (at: number) => Math.floor(((pair.atSec[at] ?? 0) - from) / ((to - from) / columns));
      const inSpan = pair.atSec.flatMap((sec, at) => (sec >= from && sec <= to ? [at] : []));
      const extremes = (of: readonly number[]) =>
        [...Map.groupBy(of, columnOf)].map(([column, own]) => [
          column,
          Math.max(-1, ...own.map((at) => pair.highMs[at] ?? -1)),
          Math.min(501, ...own.map((at) => pair.lowMs[at] ?? 501)),
          Math.max(...own.map((at) => pair.lossPercent[at] ?? 0)),
        ]);
      const shown = new Set(sampled);
      expect(extremes(inSpan.filter((at) => shown.has(at)))).toEqual(extremes(inSpan));
    }),
    { numRuns: 300 },
  );
});
