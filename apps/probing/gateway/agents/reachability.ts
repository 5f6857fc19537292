/**
 * Since when agents can report to this gateway: they cannot while it does not run, or while the database does not
 * take what they say. Some of that fails no request: a database that is frozen answers late, and so does a gateway. So
 * the sweep says each second that it has been there, and what is late counts as if it had failed.
 */
import { sweepLateMs } from "../limits.ts";

export class Reachability {
  readonly #nowMs: () => number;
  #sinceMs: number;
  #seenAtMs: number;

  /** `nowMs` is any clock that only goes forward. */
  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
    this.#sinceMs = nowMs();
    this.#seenAtMs = this.#sinceMs;
  }

  /** Milliseconds; 0 = at this moment they cannot. */
  get forMs(): number {
    return this.#isLate ? 0 : this.#nowMs() - this.#sinceMs;
  }

  /** Notes that the database has answered the sweep. */
  seen(): void {
    if (this.#isLate) {
      this.missed();
    }
    this.#seenAtMs = this.#nowMs();
  }

  /** Notes that an agent could not report just now. */
  missed(): void {
    this.#sinceMs = this.#nowMs();
  }

  get #isLate(): boolean {
    return this.#nowMs() - this.#seenAtMs > sweepLateMs;
  }
}
