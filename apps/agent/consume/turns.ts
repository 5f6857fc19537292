/** The lanes' turns at the senders' rings: one job of each at a time, some hundred probes a turn. */
import type { Address } from "../../../lib/ip/address.ts";
import type { ConsumerCounter } from "../agent-counters.ts";
import type { Counters } from "../engine/counters.ts";
import { turnProbes } from "../limits.ts";
import type { CrowdBoard } from "./crowd-board.ts";
import { DestinationPace, type DestinationRates } from "./destination-pace.ts";
import type { Lane } from "./lane.ts";
import { type MeasurementNumbers, noMeasurement } from "./measurement-table.ts";
import type { Outlet } from "./outlet.ts";
import type { ProbeJob } from "./probe-job.ts";
import type { ProgressBook } from "./progress-book.ts";

export interface TurnsParts {
  readonly outlets: readonly Outlet[];
  readonly counters: Counters<ConsumerCounter>;
  readonly numbers: MeasurementNumbers;
  readonly book: ProgressBook;
  readonly blocks: (destination: Address) => boolean;
  readonly destinationRates: DestinationRates;
  readonly crowd: CrowdBoard;
  /** A record of the lane is done with, or waits for its destinations. */
  readonly onDone: (lane: Lane) => void;
}

/** Longest stretch of turns before the event loop has its own. */
const busyMs = 5;

export class Turns {
  readonly #parts: TurnsParts;
  readonly #pace: DestinationPace;
  /** Whose turn was the last one that moved anything. */
  #last: Lane | null = null;

  constructor(parts: TurnsParts) {
    this.#parts = parts;
    this.#pace = new DestinationPace(parts.destinationRates, parts.crowd);
  }

  /** The records that it knows are gone, with what waited of them. */
  forget(): void {
    this.#pace.held = 0;
  }

  /**
   * A turn for each lane, again and again, until the rings have enough; true when it took too long before that.
   *
   * It begins behind the lane that was last: a slow sender makes room for a few probes only, and the first lane would
   * take all of it each time.
   */
  run(lanes: Iterable<Lane>): boolean {
    const all = this.#inTurn([...lanes]);
    const untilMs = performance.now() + busyMs;
    let moved = 1;
    while (moved > 0 && performance.now() < untilMs) {
      moved = all.reduce((sum, lane) => sum + this.#turn(lane), 0);
    }
    return moved > 0;
  }

  #inTurn(lanes: readonly Lane[]): Lane[] {
    const next = this.#last === null ? 0 : lanes.indexOf(this.#last) + 1;
    return [...lanes.slice(next), ...lanes.slice(0, next)];
  }

  #turn(lane: Lane): number {
    const { outlets, blocks, onDone } = this.#parts;
    const paceMs = performance.now();
    const job = this.#currentOf(lane, paceMs);
    const nowMs = Date.now();
    const measurement = job === null ? null : this.#numberOf(job, nowMs);
    if (job === null || measurement === null) {
      return 0;
    }
    const limits = { probesMax: turnProbes, nowMs, paceMs, blocks, pace: this.#pace };
    const moved = job.turn({ outlets, measurement, count: this.#count, ...limits });
    this.#last = moved > 0 ? lane : this.#last;
    if (job.isDone) {
      this.#count("measurements_ended", job.record.header.endOfMeasurement ? 1 : 0);
      onDone(lane);
    } else if (job.stalledUntilMs > paceMs) {
      // The lane has room for others beside it.
      onDone(lane);
    }
    // A record without probes is progress too.
    return job.isDone ? moved + 1 : moved;
  }

  /** Those of cancelled measurements are passed over. */
  #currentOf(lane: Lane, paceMs: number): ProbeJob | null {
    let job = lane.current(paceMs);
    for (; job !== null && this.#parts.book.isCancelled(job); job = lane.current(paceMs)) {
      job.giveUp(this.#count, "cancelled", this.#pace);
      this.#parts.onDone(lane);
    }
    return job;
  }

  /** Null when too many measurements are on the way. */
  #numberOf({ record }: ProbeJob, nowMs: number): number | null {
    const { numbers, book } = this.#parts;
    const { measurementId } = record.header;
    const number = measurementId === null ? noMeasurement : numbers.numberOf(measurementId, nowMs);
    if (measurementId !== null && number !== null) {
      book.numbered(measurementId, number, nowMs);
    }
    return number;
  }

  readonly #count = (name: ConsumerCounter, by: number): void => {
    this.#parts.counters.add(name, by);
  };
}
