/**
 * Checks the times of replies, and collects the days of a record's replies.
 *
 * Almost all are of one day and far from any bound, which two comparisons show. Others are compared to the
 * nanosecond.
 */
import { timeAheadMaxNs, timeBehindMaxNs } from "./limits.ts";

const dayNs = 86_400_000_000_000n;
const msNs = 1_000_000n;
/**
 * Nanoseconds since 1970 as a float are off by 256 at most; this far from a bound they are on its right side.
 */
const roughNs = 1024;

export class ReplyTimes {
  /** The day of most replies, in days since 1970, UTC; it may change from record to record. */
  day = 0;
  #nowMs = 0;
  /** Between these, in nanoseconds, a time is good and of `day`. */
  #from = 0;
  #to = 0;
  #hasDay = false;
  readonly #others = new Set<number>();

  /** Begins a record. */
  open(nowMs: number): void {
    this.#hasDay = false;
    if (nowMs !== this.#nowMs || this.#others.size > 0) {
      this.#nowMs = nowMs;
      this.#change();
    }
  }

  #change(): void {
    const [other] = this.#others;
    this.day = other ?? (this.day === 0 ? Math.floor(this.#nowMs / 86_400_000) : this.day);
    this.#others.clear();
    const nowNs = this.#nowMs * Number(msNs);
    const dayFrom = this.day * Number(dayNs);
    this.#from = Math.max(dayFrom, nowNs - Number(timeBehindMaxNs)) + roughNs;
    this.#to = Math.min(dayFrom + Number(dayNs), nowNs + Number(timeAheadMaxNs)) - roughNs;
  }

  /** Whether a time, of two halves, is plainly good and of `day`. False: `dayOf` decides. */
  isPlain(low: number, high: number): boolean {
    const timeNs = high * 2 ** 32 + low;
    return timeNs > this.#from && timeNs < this.#to;
  }

  /** Notes that the record has a reply of `day`. */
  noteDay(): void {
    this.#hasDay = true;
  }

  /** Notes and returns the day of a time in bounds; -1 for any other. */
  dayOf(timeNs: bigint): number {
    const nowNs = BigInt(this.#nowMs) * msNs;
    if (timeNs < nowNs - timeBehindMaxNs || timeNs > nowNs + timeAheadMaxNs) {
      return -1;
    }
    const day = Number(timeNs / dayNs);
    if (day === this.day) {
      this.#hasDay = true;
    } else {
      this.#others.add(day);
    }
    return day;
  }

  /** Days of the record's replies. */
  seen(): readonly number[] {
    const own = this.#hasDay ? [this.day] : [];
    return this.#others.size === 0 ? own : [...own, ...this.#others];
  }
}
