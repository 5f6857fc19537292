/** When a sender may send, and how it waits until then: the rate, the way of waiting, and what holds it. */
import type { Clock } from "../../../ffi/clock.ts";
import { Hold } from "./hold.ts";
import { TokenBucket } from "./token-bucket.ts";
import type { SenderStart } from "./worker-messages.ts";

const sleepUsMax = 10_000;
/** "No limit", as a rate that no sender reaches. */
const unlimitedRate = 1e9;

export class Pace {
  readonly #clock: Clock;
  readonly #bucket: TokenBucket;
  readonly #hold: Hold;
  readonly #spins: boolean;
  readonly #batchMax: number;

  constructor({ instance, hold }: Pick<SenderStart, "instance" | "hold">, clock: Clock) {
    const { pacing = "sleep", rateProbesPerSec, batchProbesMax = Number.POSITIVE_INFINITY } = instance;
    this.#clock = clock;
    this.#bucket = new TokenBucket(pacing === "none" ? unlimitedRate : rateProbesPerSec, clock.monotonicUs());
    this.#hold = new Hold(hold);
    this.#spins = pacing === "spin";
    this.#batchMax = batchProbesMax;
  }

  /** Packets that may leave now. When none may, it has waited a while: at most 10 ms. */
  allowed(nowUs: number): number {
    if (this.#hold.any()) {
      this.#clock.sleepUs(sleepUsMax);
      return 0;
    }
    const allowed = Math.min(this.#bucket.available(nowUs), this.#batchMax);
    if (allowed === 0 && !this.#spins) {
      this.#clock.sleepUs(Math.min(this.#bucket.waitUs(), sleepUsMax));
    }
    return allowed;
  }

  take(count: number): void {
    this.#bucket.take(count);
  }
}
