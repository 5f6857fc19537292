/** Lets others be served while one request has much to do: what is sent fast, or packed, comes without a wait. */
import { loopHoldMs } from "./limits.ts";

export class LoopTurns {
  #heldSinceMs = performance.now();

  /** Resolves at once, or behind what waits for the event loop when this request has held it long enough. */
  async next(): Promise<void> {
    if (performance.now() - this.#heldSinceMs > loopHoldMs) {
      await new Promise((resolve) => setImmediate(resolve));
      this.#heldSinceMs = performance.now();
    }
  }
}
