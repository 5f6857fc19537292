/**
 * Paces a sender: on average no more than `ratePerSec`, never more at once than 10 ms of the rate, or one.
 *
 * It has no clock of its own: each call passes the time. The rate may change at any time.
 */

const burstSeconds = 0.01;
const usPerSecond = 1e6;

export class TokenBucket {
  #burst = 1;
  #ratePerUs = 0;
  #tokens: number;
  #filledAtUs: number;

  constructor(ratePerSec: number, nowUs: number) {
    this.#tokens = 1;
    this.#filledAtUs = nowUs;
    this.setRate(ratePerSec, nowUs);
  }

  get burst(): number {
    return this.#burst;
  }

  /** What was earned until now was earned at the former rate. */
  setRate(ratePerSec: number, nowUs: number): void {
    this.available(nowUs);
    this.#ratePerUs = ratePerSec / usPerSecond;
    this.#burst = Math.max(1, Math.floor(ratePerSec * burstSeconds));
  }

  /** Whole tokens that can be taken now. A clock that went back fills nothing. */
  available(nowUs: number): number {
    const elapsedUs = Math.max(0, nowUs - this.#filledAtUs);
    this.#tokens = Math.min(this.#burst, this.#tokens + elapsedUs * this.#ratePerUs);
    this.#filledAtUs = nowUs;
    return Math.floor(this.#tokens);
  }

  take(count: number): void {
    this.#tokens -= count;
  }

  /** Until the next whole token. */
  waitUs(): number {
    return Math.max(0, (1 - this.#tokens) / this.#ratePerUs);
  }
}
