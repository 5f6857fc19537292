/**
 * Rows of a long series that suffice to draw it: for each column of pixels those with the least and the greatest
 * round-trip time, and with the most loss. What is drawn, and shown under the cursor, stays what the API has.
 */
import type { PairSeries } from "./pair-series.ts";

/**
 * Indices in order, from `fromSec` to `toSec`. `columns`: of pixels; with at most twice as many rows, all of them are
 * returned.
 */
export function sampledRows(
  pair: PairSeries,
  [fromSec, toSec]: readonly [number, number],
  columns: number,
): number[] {
  const { atSec } = pair;
  // A row more at each end: lines lead out of the plot.
  const first = Math.max(0, firstFrom(atSec, fromSec) - 1);
  const end = Math.min(atSec.length, firstFrom(atSec, toSec) + 2);
  if (end - first <= 2 * columns) {
    return Array.from({ length: end - first }, (_, i) => first + i);
  }
  const widthSec = (toSec - fromSec) / columns;
  const rows = [first];
  for (let at = first + 1; at < end - 1; ) {
    const column = Math.floor(((atSec[at] ?? 0) - fromSec) / widthSec);
    const start = at;
    while (at < end - 1 && Math.floor(((atSec[at] ?? 0) - fromSec) / widthSec) === column) {
      at++;
    }
    rows.push(...extremes(pair, start, at));
  }
  rows.push(end - 1);
  return rows;
}

function firstFrom(atSec: readonly number[], sec: number): number {
  let [low, high] = [0, atSec.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((atSec[middle] ?? 0) < sec) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

function extremes({ highMs, lowMs, lossPercent }: PairSeries, start: number, end: number): number[] {
  let [least, greatest, worst] = [start, start, start];
  for (let at = start; at < end; at++) {
    least = (lowMs[at] ?? Number.POSITIVE_INFINITY) < (lowMs[least] ?? Number.POSITIVE_INFINITY) ? at : least;
    greatest = (highMs[at] ?? -1) > (highMs[greatest] ?? -1) ? at : greatest;
    worst = (lossPercent[at] ?? 0) > (lossPercent[worst] ?? 0) ? at : worst;
  }
  return [...new Set([least, greatest, worst])].sort((a, b) => a - b);
}
