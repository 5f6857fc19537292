/** How work yields: what computes much takes one, and does not know what waits meanwhile. */
import type { Steps } from "../../base/list/steps.ts";
import { loopHoldMs } from "./limits.ts";

export interface Pace {
  /** Resolves at once, or when the work may continue. Rejects when it must end. */
  next(): Promise<void>;
  /** Counts computation outside of turns, as of a body while it arrives. Throws when the work must end. */
  charge?(ms: number): void;
  /** Counts memory that is held to the end of the work. Throws when there is no room. */
  hold?(bytes: number): void;
}

/** Runs a computation to its end, as many of its steps per turn as fit. Rejects as the pace does. */
export async function inTurns<Result>(steps: Steps<Result>, pace: Pace): Promise<Result> {
  for (;;) {
    await pace.next();
    const endsAtMs = performance.now() + loopHoldMs;
    do {
      const { done, value } = steps.next();
      if (done === true) {
        return value;
      }
    } while (performance.now() <= endsAtMs);
  }
}
