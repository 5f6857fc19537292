/** A sender that sends nothing: takes probes at its rate and counts them. Needs no interface and no privilege. */
import { Clock } from "../../../ffi/clock.ts";
import { probeBytes } from "../../../ffi/hotpath/memory-layout.ts";
import { ByteRing } from "./byte-ring.ts";
import { Counters, senderCounterNames } from "./counters.ts";
import { Pace } from "./pace.ts";
import type { SenderStart } from "./worker-messages.ts";

const batchProbes = 64;
const idleMs = 50;

export class DrySender implements Disposable {
  readonly #clock = new Clock();
  readonly #ring: ByteRing;
  readonly #pace: Pace;
  readonly #counters: Counters<(typeof senderCounterNames)[number]>;
  readonly #stop: Int32Array;

  constructor(start: SenderStart) {
    this.#ring = new ByteRing(start.probes);
    this.#pace = new Pace(start, this.#clock);
    this.#counters = new Counters(senderCounterNames, start.counters);
    this.#stop = new Int32Array(start.stop);
  }

  run(): void {
    while (Atomics.load(this.#stop, 0) === 0) {
      const allowed = Math.min(this.#pace.allowed(this.#clock.monotonicUs()), batchProbes);
      const count = Math.min(allowed, this.#ring.usedBytes() / probeBytes);
      if (count > 0) {
        this.#pace.take(count);
        this.#counters.add("sender_dry", count);
        this.#counters.add("sender_read", count);
        this.#ring.advance(count * probeBytes);
      } else if (allowed > 0) {
        this.#ring.waitForBytes(idleMs);
      }
    }
  }

  [Symbol.dispose](): void {
    // Nothing is held.
  }
}
