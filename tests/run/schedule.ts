/**
 * Which job starts next: the longest that the processors have room for. A job that mostly waits takes little of them,
 * so it runs beside those that compute; two that compute on every core would only make each other late.
 */
import type { Cost } from "./costs.ts";

/** Processors that jobs are expected to use at once, of those that the machine has. */
const share = 1.5;

interface Costed {
  readonly cost: Cost;
}

/** The next of the waiting jobs; null: none until a running one ends. */
export function nextOf<J extends Costed>(
  waiting: readonly J[],
  running: readonly Costed[],
  processors: number,
): J | null {
  const used = running.reduce((sum, { cost }) => sum + processorsOf(cost), 0);
  const longestFirst = waiting.toSorted((a, b) => b.cost.seconds - a.cost.seconds);
  const fitting = longestFirst.find(({ cost }) => used + processorsOf(cost) <= processors * share);
  return fitting ?? (running.length === 0 ? (longestFirst[0] ?? null) : null);
}

/** How many processors it keeps busy on average. */
function processorsOf({ seconds, cpuSeconds }: Cost): number {
  return seconds === 0 ? 0 : cpuSeconds / seconds;
}

/** Seconds until all are done, if they fill workers and processors: no less than the longest one takes. */
export function secondsLeft(jobs: readonly Costed[], workers: number, processors: number): number {
  const sum = (of: (cost: Cost) => number) => jobs.reduce((total, { cost }) => total + of(cost), 0);
  const longest = Math.max(0, ...jobs.map(({ cost }) => cost.seconds));
  return Math.max(
    longest,
    sum(({ seconds }) => seconds) / workers,
    sum(({ cpuSeconds }) => cpuSeconds) / processors,
  );
}
