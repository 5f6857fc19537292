/**
 * Yields to others while a part of the service itself has much to do: fast or compressed input never waits by itself.
 * What a request causes is paced by its Work (work.ts), which also ends.
 */
import { loopHoldMs } from "./limits.ts";
import { loopTurns } from "./turns.ts";

/** Callers' names are longer. */
const service = "";

export class LoopYield {
  readonly #caller: string;
  #heldSinceMs = performance.now();

  /** Pieces of one caller wait for each other; by default they are the service's own. */
  constructor(caller = service) {
    this.#caller = caller;
  }

  /** Resolves at once, or when it is this one's turn again, once it has held the event loop long enough. */
  async next(): Promise<void> {
    if (performance.now() - this.#heldSinceMs > loopHoldMs) {
      await loopTurns.take(this.#caller);
      this.#heldSinceMs = performance.now();
    }
  }
}
