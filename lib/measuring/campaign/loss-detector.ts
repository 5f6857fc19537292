/**
 * Loss over runs: raised when even the lowest likely loss of the last runs exceeds the threshold, cleared when the
 * highest likely one is below it for as many runs. In between, the alert is unchanged, so that it does not flap.
 */
import { wilson } from "./wilson.ts";

/** An agent's run towards a target. If the agent sent nothing, the run shows nothing about the target. */
export interface RunLoss {
  readonly sent: number;
  readonly lost: number;
}

export interface LossState {
  readonly isRaised: boolean;
  /** The last runs with probes, the oldest first. */
  readonly window: readonly RunLoss[];
  /** Runs in a row whose highest likely loss is below the threshold. */
  readonly goodRuns: number;
}

interface LossRule {
  /** Share from 0 to 1. */
  readonly threshold: number;
  /** Runs that are evaluated together, and that must be good in a row to clear the alert. */
  readonly runs: number;
}

export const noLoss: LossState = { isRaised: false, window: [], goodRuns: 0 };

interface LossStep {
  readonly state: LossState;
  /** Null = no change. */
  readonly change: "raised" | "cleared" | null;
}

export function afterRun({ threshold, runs }: LossRule, state: LossState, run: RunLoss): LossStep {
  if (run.sent === 0) {
    return { state, change: null };
  }
  const window = [...state.window, run].slice(-runs);
  const { low, high } = wilson(sum(window, "lost"), sum(window, "sent"));
  const goodRuns = high < threshold ? state.goodRuns + 1 : 0;
  const isRaised = state.isRaised ? goodRuns < runs : low > threshold;
  const change = isRaised === state.isRaised ? null : isRaised ? "raised" : "cleared";
  return { state: { isRaised, window, goodRuns }, change };
}

function sum(window: readonly RunLoss[], what: keyof RunLoss): number {
  return window.reduce((all, run) => all + run[what], 0);
}
