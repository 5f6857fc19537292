/**
 * Whether a run's round-trip times have shifted from the usual: the median's interval does not overlap the usual one,
 * and the medians differ by more than both a time and a share of the usual one. (After R. Fontugne and others,
 * "Pinpointing Delay and Forwarding Anomalies Using Large-Scale Traceroute Measurements", IMC 2017.)
 */
import type { Verdict } from "./hold.ts";

interface MedianInterval {
  readonly low: number;
  readonly median: number;
  readonly high: number;
}

export interface RttState {
  /** Runs learned from; the first ones are not judged. */
  readonly runs: number;
  /** Milliseconds; null before the first run. */
  readonly usual: MedianInterval | null;
}

interface RttRule {
  readonly gapMs: number;
  /** A share of the usual median, from 0 to 1. */
  readonly gapShare: number;
}

export const noRtt: RttState = { runs: 0, usual: null };

/** Fewer replies give no meaningful interval. */
const samplesMin = 3;
const learnedRunsMin = 3;
/** Weight of a run in the usual values. */
const weight = 0.05;

/**
 * The median with the values at ranks n/2 ± 1.96 sqrt(n)/2, which hold the true median 95 times of 100: of 25 values,
 * the 7th and the 18th. Null for fewer than three values; they are ascending.
 */
export function medianInterval(values: readonly number[]): MedianInterval | null {
  const count = values.length;
  if (count < samplesMin) {
    return null;
  }
  const reach = (1.96 * Math.sqrt(count)) / 2;
  const at = (rank: number) => values[Math.min(count, Math.max(1, rank)) - 1] ?? 0;
  const middle = (count + 1) / 2;
  const median = (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2;
  return { low: at(Math.floor(count / 2 - reach)), median, high: at(Math.ceil(count / 2 + reach)) };
}

interface RttStep {
  readonly state: RttState;
  readonly verdict: Verdict;
  /** Median of the run, and the usual one; null = unknown. */
  readonly value: number | null;
  readonly usual: number | null;
}

/** A shifted run is not learned from. */
export function afterRtts(rule: RttRule, state: RttState, rttsMs: readonly number[]): RttStep {
  const run = medianInterval(rttsMs);
  const { usual, runs } = state;
  if (run === null || usual === null) {
    const first = run === null ? state : { runs: 1, usual: run };
    return { state: first, verdict: "unknown", value: run?.median ?? null, usual: usual?.median ?? null };
  }
  const isApart = run.low > usual.high || run.high < usual.low;
  const gap = Math.abs(run.median - usual.median);
  const isShift = isApart && gap > Math.max(rule.gapMs, rule.gapShare * usual.median);
  const figures = { value: run.median, usual: usual.median };
  if (runs < learnedRunsMin) {
    return { state: learned(state, usual, run, 1 / (runs + 1)), verdict: "unknown", ...figures };
  }
  return isShift
    ? { state, verdict: "bad", ...figures }
    : { state: learned(state, usual, run, weight), verdict: "good", ...figures };
}

/**
 * The interval grows at once and shrinks slowly: where flows take branches of unequal length, the median jumps between
 * them as a balancer redistributes its flows.
 */
function learned({ runs }: RttState, usual: MedianInterval, run: MedianInterval, share: number): RttState {
  const towards = (from: number, to: number) => from + share * (to - from);
  return {
    runs: runs + 1,
    usual: {
      low: Math.min(run.low, towards(usual.low, run.low)),
      median: towards(usual.median, run.median),
      high: Math.max(run.high, towards(usual.high, run.high)),
    },
  };
}
