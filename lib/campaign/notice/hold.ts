/**
 * When a verdict over runs becomes an alert: raised when n of the last m runs were bad, cleared when m after each other
 * were good. Between the two, what was said stays, so that nothing flaps.
 *
 *   2 of 3:   good bad good bad   raised    good bad good good   good: cleared
 */

/** Unknown says nothing, either way: the run is left out. */
export type Verdict = "good" | "bad" | "unknown";

export interface HoldRule {
  readonly raise: number;
  readonly of: number;
  /** Runs after which a raised alert has become what is usual; null = never. */
  readonly settle: number | null;
}

export interface HoldState {
  readonly isRaised: boolean;
  /** The last runs with a verdict, the oldest first: whether each was bad. */
  readonly bad: readonly boolean[];
  /** Runs since it was raised. */
  readonly raisedRuns: number;
}

export const notHeld: HoldState = { isRaised: false, bad: [], raisedRuns: 0 };

interface HoldStep {
  readonly state: HoldState;
  /** `settled`: what was strange is usual by now, and its reference has to be learned anew. Null = nothing to say. */
  readonly change: "raised" | "cleared" | "settled" | null;
}

export function afterVerdict(rule: HoldRule, state: HoldState, verdict: Verdict): HoldStep {
  if (verdict === "unknown") {
    return { state, change: null };
  }
  const bad = [...state.bad, verdict === "bad"].slice(-rule.of);
  const badRuns = bad.filter(Boolean).length;
  if (!state.isRaised) {
    const isRaised = badRuns >= rule.raise;
    return { state: { isRaised, bad, raisedRuns: 0 }, change: isRaised ? "raised" : null };
  }
  if (badRuns === 0) {
    return { state: { isRaised: false, bad, raisedRuns: 0 }, change: "cleared" };
  }
  const raisedRuns = state.raisedRuns + 1;
  return rule.settle !== null && raisedRuns >= rule.settle
    ? { state: notHeld, change: "settled" }
    : { state: { isRaised: true, bad, raisedRuns }, change: null };
}
