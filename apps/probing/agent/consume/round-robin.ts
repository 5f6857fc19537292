/** Serves the partitions round-robin: one job of each at a time, some hundred probes a turn. */
import type { Address } from "../../../../lib/net/ip/address.ts";
import type { ConsumerCounter } from "../agent-counters.ts";
import type { Counters } from "../engine/counters.ts";
import { turnProbes } from "../limits.ts";
import { type MeasurementNumbers, noMeasurement } from "../measurement-table.ts";
import type { CrowdBoard } from "./crowd-board.ts";
import { DestinationPace, type DestinationRates } from "./destination-pace.ts";
import type { PartitionQueue } from "./partition-queue.ts";
import type { ProbeJob } from "./probe-job.ts";
import type { ProgressLedger } from "./progress-ledger.ts";
import type { SenderFeed } from "./sender-feed.ts";

interface RoundRobinParts {
  readonly feeds: readonly SenderFeed[];
  readonly counters: Counters<ConsumerCounter>;
  readonly numbers: MeasurementNumbers;
  readonly ledger: ProgressLedger;
  readonly blocks: (destination: Address) => boolean;
  readonly destinationRates: DestinationRates;
  readonly crowd: CrowdBoard;
  /** A record of the partition is done, or waits for its destinations. */
  readonly onDone: (queue: PartitionQueue) => void;
}

/** Longest run of turns before the event loop gets its turn. */
const busyMs = 5;

export class RoundRobin {
  readonly #parts: RoundRobinParts;
  readonly #pace: DestinationPace;
  /** The last partition that made progress. */
  #last: PartitionQueue | null = null;

  constructor(parts: RoundRobinParts) {
    this.#parts = parts;
    this.#pace = new DestinationPace(parts.destinationRates, parts.crowd);
  }

  /** Drops the current records and their held probes. */
  forget(): void {
    this.#pace.held = 0;
  }

  /**
   * Serves each partition in turn until the rings are full enough; true when the time was up before that.
   *
   * It begins after the partition that was last: a slow sender has room for a few probes only, and the first
   * partition would use all of it each time.
   */
  run(queues: Iterable<PartitionQueue>): boolean {
    const all = this.#inTurn([...queues]);
    const untilMs = performance.now() + busyMs;
    let moved = 1;
    while (moved > 0 && performance.now() < untilMs) {
      moved = all.reduce((sum, queue) => sum + this.#turn(queue), 0);
    }
    return moved > 0;
  }

  #inTurn(queues: readonly PartitionQueue[]): PartitionQueue[] {
    const next = this.#last === null ? 0 : queues.indexOf(this.#last) + 1;
    return [...queues.slice(next), ...queues.slice(0, next)];
  }

  #turn(queue: PartitionQueue): number {
    const { feeds, blocks, onDone } = this.#parts;
    const paceMs = performance.now();
    const job = this.#currentOf(queue, paceMs);
    const nowMs = Date.now();
    const measurement = job === null ? null : this.#numberOf(job, nowMs);
    if (job === null || measurement === null) {
      return 0;
    }
    const limits = { probesMax: turnProbes, nowMs, paceMs, blocks, pace: this.#pace };
    const moved = job.turn({ feeds, measurement, count: this.#count, ...limits });
    this.#last = moved > 0 ? queue : this.#last;
    if (job.isDone) {
      this.#count("measurements_ended", job.record.header.endOfMeasurement ? 1 : 0);
      onDone(queue);
    } else if (job.stalledUntilMs > paceMs) {
      // The partition has room for other records too.
      onDone(queue);
    }
    // A record without probes is progress too.
    return job.isDone ? moved + 1 : moved;
  }

  /** Records of cancelled measurements are skipped. */
  #currentOf(queue: PartitionQueue, paceMs: number): ProbeJob | null {
    let job = queue.current(paceMs);
    for (; job !== null && this.#parts.ledger.isCancelled(job); job = queue.current(paceMs)) {
      job.giveUp(this.#count, "cancelled", this.#pace);
      this.#parts.onDone(queue);
    }
    return job;
  }

  /** Null when too many measurements are in flight. */
  #numberOf({ record }: ProbeJob, nowMs: number): number | null {
    const { numbers, ledger } = this.#parts;
    const { measurementId } = record.header;
    const number = measurementId === null ? noMeasurement : numbers.numberOf(measurementId, nowMs);
    if (measurementId !== null && number !== null) {
      ledger.numbered(measurementId, number, nowMs);
      ledger.keepPackets(record.header, number);
    }
    return number;
  }

  readonly #count = (name: ConsumerCounter, by: number): void => {
    this.#parts.counters.add(name, by);
  };
}
