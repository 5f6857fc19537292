/** Work that goes on for a few at a time; the others wait in line, and nobody's many hold up another's one. */
import { FairPlaces } from "../../../lib/http/fair-places.ts";
import { Problem } from "../../../lib/http/problem.ts";
import { retryAfterSeconds } from "../limits.ts";

export interface TurnLimits {
  readonly atOnce: number;
  readonly waitingMax: number;
  readonly waitMs: number;
}

export class Turns {
  readonly #places: FairPlaces;

  constructor({ atOnce, waitingMax, waitMs }: TurnLimits) {
    const safeMs = Number.POSITIVE_INFINITY;
    this.#places = new FairPlaces({
      placesMax: atOnce,
      ofOneMax: atOnce,
      lineMax: waitingMax,
      waitMs,
      safeMs,
    });
  }

  /** Throws Problem 503 when the line is full, or moves too slowly. */
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
    // The store goes on with a query that nobody waits for.
    place.keep();
    return await work();
  }
}
