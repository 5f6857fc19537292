/** Runs a computation in parts of some milliseconds, between which others are served. */
import type { Steps } from "../../base/list/steps.ts";

/** Milliseconds after which others are served. */
const heldMs = 10;

export class Parts {
  #endsAtMs = performance.now() + heldMs;

  get isOver(): boolean {
    return performance.now() > this.#endsAtMs;
  }

  /** Resolves at once, or when others have been served, once this one has computed for long enough. */
  async next(): Promise<void> {
    if (this.isOver) {
      await new Promise((resolve) => setImmediate(resolve));
      this.#endsAtMs = performance.now() + heldMs;
    }
  }
}

export async function inParts<Result>(steps: Steps<Result>): Promise<Result> {
  const parts = new Parts();
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) {
      return value;
    }
    if (parts.isOver) {
      await parts.next();
    }
  }
}
