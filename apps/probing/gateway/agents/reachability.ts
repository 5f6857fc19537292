/**
 * Tracks since when agents have been able to report to this gateway: they cannot while it does not run, or while the
 * database does not store their reports. Not every outage fails a request: a frozen database or gateway responds late.
 * So the sweep records its runs each second, and a late one counts as failed.
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

  /** Milliseconds; 0 = they cannot report now. */
  get forMs(): number {
    return this.#isLate ? 0 : this.#nowMs() - this.#sinceMs;
  }

  /** Notes that the database has responded to the sweep. */
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
