/** Runs a computation in parts of some milliseconds, between which others are served. */
import type { Steps } from "../../base/list/steps.ts";

/** Milliseconds after which others are served. */
const heldMs = 10;

export async function inParts<Result>(steps: Steps<Result>): Promise<Result> {
  let endsAtMs = performance.now() + heldMs;
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) {
      return value;
    }
    if (performance.now() > endsAtMs) {
      await new Promise((resolve) => setImmediate(resolve));
      endsAtMs = performance.now() + heldMs;
    }
  }
}
