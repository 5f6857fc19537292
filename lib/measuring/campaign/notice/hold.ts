/**
 * When a verdict over runs becomes an alert: raised when n of the last m runs were bad, cleared when m in a row were
 * good. In between, the alert is unchanged, so that it does not flap.
 *
 *   2 of 3:   good bad good bad   raised    good bad good good   good: cleared
 */

/** Runs with an unknown verdict are left out. */
export type Verdict = "good" | "bad" | "unknown";

export interface HoldRule {
  readonly raise: number;
  readonly of: number;
  /** Runs after which a raised alert counts as the usual state; null = never. */
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
  /** `settled`: the unusual has become usual, so the reference must be learned anew. Null = no change. */
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
