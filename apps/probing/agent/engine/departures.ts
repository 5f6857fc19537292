/** When the batches of a sender leave: noted in the tick table before they do, as a reply may arrive at once. */
import type { Clock } from "../../../../ffi/clock.ts";
import { tickOfUs, tickUs } from "../../../../lib/net/packet/time-code.ts";
import type { Pace } from "./pace.ts";
import type { TickTable } from "./tick-table.ts";

export class Departures {
  readonly #ticks: TickTable;
  readonly #clock: Clock;
  readonly #pace: Pace;
  #lastTick = 0;
  #lastMeasurement = -1;

  constructor(ticks: TickTable, clock: Clock, pace: Pace) {
    this.#ticks = ticks;
    this.#clock = clock;
    this.#pace = pace;
  }

  /**
   * The time now, for a batch of this measurement; when the measurement has changed, or each batch has a tick of its
   * own, a time in the next tick: a tick belongs to one measurement.
   */
  next(measurement: number): number {
    let nowUs = this.#clock.realtimeUs();
    const { isTickwise } = this.#pace;
    while (tickOfUs(nowUs) === this.#lastTick && (isTickwise || measurement !== this.#lastMeasurement)) {
      if (isTickwise) {
        this.#clock.sleepUs((this.#lastTick + 1) * tickUs - nowUs);
      }
      nowUs = this.#clock.realtimeUs();
    }
    const tick = tickOfUs(nowUs);
    if (tick === this.#lastTick) {
      this.#ticks.setShared(tick);
    } else {
      this.#ticks.set(tick, measurement, nowUs);
      this.#lastTick = tick;
      this.#lastMeasurement = measurement;
    }
    return nowUs;
  }
}
