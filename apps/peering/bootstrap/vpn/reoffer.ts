/**
 * When routes that are offered, but not served, are to be offered anew: the coordination server may take a device that
 * was killed and came back for one that is gone (Headscale 0.28), and then delivers no packet to it. Less and less
 * often, as the operator may not have approved the routes. Pure.
 */
import { reofferMsFirst, reofferMsMax } from "../limits.ts";

export class Reoffer {
  #sinceMs: number | null = null;
  #waitMs: number = reofferMsFirst;

  /** `nowMs`: of a clock that never jumps. */
  isDue(isUnserved: boolean, nowMs: number): boolean {
    if (!isUnserved) {
      this.#sinceMs = null;
      this.#waitMs = reofferMsFirst;
      return false;
    }
    this.#sinceMs ??= nowMs;
    if (nowMs - this.#sinceMs < this.#waitMs) {
      return false;
    }
    this.#sinceMs = nowMs;
    this.#waitMs = Math.min(2 * this.#waitMs, reofferMsMax);
    return true;
  }
}
