/** Yields to other requests while one has much to do: fast or compressed input never waits by itself. */
import { loopHoldMs } from "./limits.ts";

export class LoopYield {
  #heldSinceMs = performance.now();

  /** Resolves at once, or after other pending events when this request has held the event loop long enough. */
  async next(): Promise<void> {
    if (performance.now() - this.#heldSinceMs > loopHoldMs) {
      await new Promise((resolve) => setImmediate(resolve));
      this.#heldSinceMs = performance.now();
    }
  }
}
