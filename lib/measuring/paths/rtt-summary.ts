/**
 * Summary of round-trip times, computed alike by `vantage trace` from its own replies and by the column store in SQL.
 *
 * Quantile p of n values in ascending order, x(1) to x(n): h = p (n − 1) + 1, k = ⌊h⌋, x(k) + (h − k)(x(k+1) − x(k)).
 * That is ClickHouse's `quantileExactInclusive`, and method 7 of Hyndman and Fan (1996): of 10, 20, 40 and 80 the
 * median is 30 and the 90th percentile 68. The standard deviation is that of the answers themselves (divided by n).
 *
 * Jitter is the mean of |later − earlier| over consecutive replies of one router to one flow and TTL, in the order of
 * receipt; if a router replies to several flows, over the pairs of all of them. A reply with an unknown round-trip time
 * is skipped.
 */
export interface RttSummary {
  readonly minMs: number;
  readonly p10Ms: number;
  readonly medianMs: number;
  readonly p90Ms: number;
  readonly maxMs: number;
  readonly meanMs: number;
  readonly standardDeviationMs: number;
  /** Null if no flow has two replies. */
  readonly jitterMs: number | null;
}

/** Summarises one or more flows, each in the order of its replies; null without a reply whose time is known. */
export function rttSummary(flowsMs: readonly (readonly number[])[]): RttSummary | null {
  const sorted = flowsMs.flat().sort((a, b) => a - b);
  const [min, max] = [sorted[0], sorted.at(-1)];
  if (min === undefined || max === undefined) {
    return null;
  }
  const mean = meanOf(sorted);
  const steps = flowsMs.flatMap((flow) => flow.slice(1).map((ms, i) => Math.abs(ms - (flow[i] ?? ms))));
  return {
    minMs: min,
    p10Ms: quantile(sorted, 0.1),
    medianMs: quantile(sorted, 0.5),
    p90Ms: quantile(sorted, 0.9),
    maxMs: max,
    meanMs: mean,
    standardDeviationMs: Math.sqrt(meanOf(sorted.map((ms) => (ms - mean) ** 2))),
    jitterMs: steps.length === 0 ? null : meanOf(steps),
  };
}

/** `sorted` has at least one value, in ascending order. */
function quantile(sorted: readonly number[], part: number): number {
  const place = part * (sorted.length - 1);
  const low = sorted[Math.floor(place)] ?? 0;
  const high = sorted[Math.ceil(place)] ?? low;
  return low + (place - Math.floor(place)) * (high - low);
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
