/** When a sender uses `live`: while its allowed and actual rates are worth a core. */
import type { Clock } from "../clock.ts";
import * as at from "./live-memory.ts";

/** Requested rate. Below it, `packet` needs less than the whole core that `live` takes. */
const askedProbesPerSecMin = 300_000;
/** Reached rate, even on a busy machine: less means a few probes now and then. */
const reachedProbesPerSecMin = 50_000;
const windowUs = 100_000;
const restAfterUs = 3_000_000;

export class LiveUse {
  readonly #words: Int32Array;
  readonly #clock: Clock;
  readonly #askedProbesPerSec: () => number;
  #windowStartUs = 0;
  #windowFrames = 0;
  #busyAtUs = 0;

  constructor(memory: SharedArrayBuffer, clock: Clock, askedProbesPerSec: () => number) {
    this.#words = new Int32Array(memory);
    this.#clock = clock;
    this.#askedProbesPerSec = askedProbesPerSec;
  }

  /** Notes frames to be sent, and orders the thread to run or to rest. */
  note(frames: number): void {
    this.#windowFrames += frames;
    const nowUs = this.#clock.monotonicUs();
    const passedUs = nowUs - this.#windowStartUs;
    if (passedUs < windowUs) {
      return;
    }
    const isBusy =
      this.#askedProbesPerSec() >= askedProbesPerSecMin &&
      (this.#windowFrames * 1e6) / passedUs >= reachedProbesPerSecMin;
    this.#windowStartUs = nowUs;
    this.#windowFrames = 0;
    if (isBusy) {
      this.#busyAtUs = nowUs;
      this.#order(at.liveOrder.run);
    } else if (nowUs - this.#busyAtUs > restAfterUs) {
      this.#order(at.liveOrder.rest);
    }
  }

  /** Whether the running call takes frames. */
  isTaking(): boolean {
    return Atomics.load(this.#words, at.takingAt / 4) !== 0;
  }

  end(): void {
    this.#order(at.liveOrder.end);
  }

  #order(order: number): void {
    if (Atomics.exchange(this.#words, at.orderAt / 4, order) !== order) {
      Atomics.notify(this.#words, at.orderAt / 4);
    }
  }
}
