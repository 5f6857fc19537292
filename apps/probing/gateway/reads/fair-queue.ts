/**
 * Limits concurrent work. Excess requests queue, round-robin by user, so that one user's many requests do not delay
 * another's.
 */
import { FairSlots } from "../../../../lib/engines/http/fair-slots.ts";
import { Problem } from "../../../../lib/engines/http/problem.ts";
import { retryAfterSeconds } from "../limits.ts";

interface FairQueueLimits {
  readonly atOnce: number;
  readonly waitingMax: number;
  readonly waitMs: number;
}

export class FairQueue {
  readonly #places: FairSlots;

  constructor({ atOnce, waitingMax, waitMs }: FairQueueLimits) {
    const safeMs = Number.POSITIVE_INFINITY;
    this.#places = new FairSlots({
      placesMax: atOnce,
      ofOneMax: atOnce,
      lineMax: waitingMax,
      waitMs,
      safeMs,
    });
  }

  /** Throws Problem 503 when the queue is full or too slow. */
  async run<Result>(who: string, work: () => Promise<Result>): Promise<Result> {
    using place = await this.#places.take(who);
    if (place === null) {
      throw new Problem({
        status: 503,
        code: "store_busy",
        message: `Too many figures are being made; try again in ${retryAfterSeconds} s`,
        headers: { "retry-after": String(retryAfterSeconds) },
      });
    }
    // The store continues an abandoned query.
    place.keep();
    return await work();
  }
}
