/** A sender that sends nothing: takes probes at its rate and counts them. Needs no interface and no privilege. */
import { Clock } from "../../../../ffi/clock.ts";
import { probeBytes, probeMeasurementAt } from "../../../../ffi/hotpath/memory-layout.ts";
import { ByteRing } from "./byte-ring.ts";
import { Counters, senderCounterNames } from "./counters.ts";
import { MeasurementBoard } from "./measurement-board.ts";
import { idleSenderMs, Pace } from "./pace.ts";
import { measurementRun } from "./probe-queue.ts";
import type { SenderStart } from "./worker-messages.ts";

const batchProbes = 64;

export class DrySender implements Disposable {
  readonly #clock = new Clock();
  readonly #ring: ByteRing;
  readonly #pace: Pace;
  readonly #board: MeasurementBoard;
  readonly #batch = new Uint8Array(batchProbes * probeBytes);
  readonly #view = new DataView(this.#batch.buffer);
  readonly #counters: Counters<(typeof senderCounterNames)[number]>;
  readonly #stop: Int32Array;

  constructor(start: SenderStart) {
    this.#ring = new ByteRing(start.probes);
    this.#pace = new Pace(start, this.#clock);
    this.#board = new MeasurementBoard(start.board);
    this.#counters = new Counters(senderCounterNames, start.counters);
    this.#stop = new Int32Array(start.stop);
  }

  run(): void {
    while (Atomics.load(this.#stop, 0) === 0) {
      const allowed = Math.min(this.#pace.allowed(this.#clock.monotonicUs()), batchProbes);
      const count = this.#ring.peek(this.#batch.subarray(0, allowed * probeBytes)) / probeBytes;
      if (count > 0) {
        this.#take(measurementRun(this.#view, 0, count));
      } else if (allowed > 0) {
        this.#ring.waitForBytes(idleSenderMs);
      }
    }
  }

  #take(count: number): void {
    const measurement = this.#view.getUint32(probeMeasurementAt, true);
    if (this.#board.isStopped(measurement)) {
      this.#counters.add("sender_cancelled", count);
    } else {
      this.#pace.take(count);
      this.#counters.add("sender_dry", count);
      this.#board.add(measurement, "sent", count);
    }
    this.#counters.add("sender_read", count);
    this.#ring.advance(count * probeBytes);
  }

  [Symbol.dispose](): void {
    // Nothing is held.
  }
}
