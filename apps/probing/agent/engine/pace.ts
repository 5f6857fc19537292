/** Paces a sender: the rate, the way of waiting, and the reasons that inhibit sending. */
import type { Clock } from "../../../../ffi/clock.ts";
import { frameSlotBytes } from "../../../../ffi/hotpath/memory-layout.ts";
import { InstanceControl } from "./instance-control.ts";
import { SendInhibit } from "./send-inhibit.ts";
import { TokenBucket } from "./token-bucket.ts";
import type { SenderStart } from "./worker-messages.ts";

/** How long a sender waits for probes; who sets its stop flag ends the wait. Each wake-up costs 0.1 ms of CPU. */
export const idleSenderMs = 5000;
const sleepUsMax = 10_000;
/**
 * Packets/s up to which each batch can have a tick of its own: half of what batches of 64 reach that wait for a tick
 * and sleep 60 µs too long.
 */
const tickwiseRateMax = 200_000;
/** "No limit", as a rate that no sender reaches. */
const unlimitedRate = 1e9;

export class Pace {
  readonly #clock: Clock;
  readonly #bucket: TokenBucket;
  readonly #sendInhibit: SendInhibit;
  readonly #control: InstanceControl;
  readonly #isUnlimited: boolean;
  #rateProbesPerSec: number;
  readonly #spins: boolean;
  readonly #batchMax: number;
  #sentPackets = 0;
  #sentBytes = 0;

  constructor(start: Pick<SenderStart, "instance" | "sendInhibit" | "control">, clock: Clock) {
    const { pacing = "sleep", batchProbesMax = Number.POSITIVE_INFINITY } = start.instance;
    this.#clock = clock;
    this.#sendInhibit = new SendInhibit(start.sendInhibit);
    this.#control = new InstanceControl(start.control);
    this.#isUnlimited = pacing === "none";
    this.#rateProbesPerSec = this.#control.rateProbesPerSec;
    const rate = this.#isUnlimited ? unlimitedRate : this.#rateProbesPerSec;
    this.#bucket = new TokenBucket(rate, clock.monotonicUs());
    this.#spins = pacing === "spin";
    this.#batchMax = batchProbesMax;
  }

  /** Number of packets that may leave now. When it is 0, it has waited a while: at most 10 ms. */
  allowed(nowUs: number): number {
    if (this.isHeld()) {
      this.#clock.sleepUs(sleepUsMax);
      return 0;
    }
    this.#followRate(nowUs);
    const allowed = Math.min(this.#bucket.available(nowUs), this.#batchMax, this.#room());
    if (allowed === 0 && !this.#spins) {
      this.#clock.sleepUs(Math.min(this.#bucket.waitUs(), sleepUsMax));
    }
    return allowed;
  }

  /** Whether a batch should wait for a tick without one. A sender that spins is to space packets evenly. */
  get isTickwise(): boolean {
    return !(this.#isUnlimited || this.#spins) && this.#rateProbesPerSec <= tickwiseRateMax;
  }

  /** Whether sending is inhibited, whatever the rate. */
  isHeld(): boolean {
    return this.#control.isPaused || this.#sendInhibit.any() || this.#room() < 1;
  }

  /** Counts what has left. */
  sent(packets: number, bytes: number): void {
    this.#sentPackets += packets;
    this.#sentBytes += bytes;
  }

  /** Packets that certainly fit into what the host allows. */
  #room(): number {
    const { packetsMax, bytesMax } = this.#control;
    return Math.floor(
      Math.min(packetsMax - this.#sentPackets, (bytesMax - this.#sentBytes) / frameSlotBytes),
    );
  }

  take(count: number): void {
    this.#bucket.take(count);
  }

  #followRate(nowUs: number): void {
    const rate = this.#control.rateProbesPerSec;
    if (rate !== this.#rateProbesPerSec && !this.#isUnlimited) {
      this.#bucket.setRate(rate, nowUs);
    }
    this.#rateProbesPerSec = rate;
  }
}
