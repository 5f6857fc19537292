/**
 * Loss over runs: raised when even the lowest likely loss of the last runs is above the threshold, cleared when the
 * highest likely one is below it for as many runs. In between, what was said stays, so that nothing flaps.
 */
import { wilson } from "./wilson.ts";

/** What an agent's run towards a target came to. An agent that sent nothing says nothing of the target. */
export interface RunLoss {
  readonly sent: number;
  readonly lost: number;
}

export interface LossState {
  readonly isRaised: boolean;
  /** The last runs with probes, the oldest first. */
  readonly window: readonly RunLoss[];
  /** Runs after each other whose highest likely loss is below the threshold. */
  readonly goodRuns: number;
}

interface LossRule {
  /** Share from 0 to 1. */
  readonly threshold: number;
  /** Runs that are looked at together, and that have to be good for it to be cleared. */
  readonly runs: number;
}

export const noLoss: LossState = { isRaised: false, window: [], goodRuns: 0 };

interface LossStep {
  readonly state: LossState;
  /** Null = nothing to say. */
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
