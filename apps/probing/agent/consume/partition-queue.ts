/** The queue of one partition: its records in order, committed in order. */
import { heldBytesMax, queuedRecordsMax } from "../limits.ts";
import type { ProbeJob } from "./probe-job.ts";
import { arePassed, type WatermarkTime } from "./sent-watermark.ts";

interface Step {
  readonly offset: bigint;
  /** Null = no probe of the record is sent. */
  readonly job: ProbeJob | null;
}

export class PartitionQueue {
  readonly topic: string;
  readonly partition: number;
  isPaused = false;
  /** In the order of their offsets: done or not, and not committed. */
  readonly #steps: Step[] = [];
  /** Offset of the next record, at least. */
  nextOffset = -1n;
  #committedOffset = -1n;

  constructor(topic: string, partition: number) {
    this.topic = topic;
    this.partition = partition;
  }

  /** False for a record that is already queued: a broker may deliver it again after an outage. */
  add(offset: bigint, job: ProbeJob | null): boolean {
    if (offset < this.nextOffset) {
      return false;
    }
    this.nextOffset = offset + 1n;
    this.#steps.push({ offset, job });
    return true;
  }

  /** The record to send from now: the first that does not wait for its destinations. */
  current(paceMs: number): ProbeJob | null {
    const isNext = ({ job }: Step) => job !== null && !job.isDone && job.stalledUntilMs <= paceMs;
    return this.#steps.find(isNext)?.job ?? null;
  }

  /** Whether a queued record has probes that are not in a ring yet. */
  get isOpen(): boolean {
    return this.#steps.some(({ job }) => job !== null && !job.isDone);
  }

  /** The first index from `from` on that no queued record of the same list of probes covers. */
  coveredTo(measurementId: string, target: string, from: number): number {
    return this.#steps.reduce((to, { job }) => {
      const isSame = job?.record.header.measurementId === measurementId && job.target === target;
      return isSame && job.from <= to ? Math.max(to, job.to) : to;
    }, from);
  }

  /** Whether the queue has enough records. Records that wait for their destinations count only by their size. */
  isFull(paceMs: number): boolean {
    const open = this.#steps.flatMap(({ job }) => (job === null || job.isDone ? [] : [job]));
    const stalled = open.filter(({ stalledUntilMs }) => stalledUntilMs > paceMs);
    const bytes = stalled.reduce((sum, { record }) => sum + record.value.length, 0);
    return open.length - stalled.length >= queuedRecordsMax || bytes >= heldBytesMax;
  }

  /**
   * The offset before which everything has left this host, when it has moved; null otherwise. `onLeft` is called for
   * each record that is now complete.
   */
  commitOffset(onLeft: (job: ProbeJob) => void): bigint | null {
    let next: bigint | null = null;
    while (this.#steps[0] !== undefined && hasLeft(this.#steps[0].job)) {
      const { offset, job } = this.#steps[0];
      next = offset + 1n;
      this.#steps.shift();
      if (job !== null) {
        onLeft(job);
      }
    }
    // A commit that failed last time is still pending.
    this.#committedOffset = next ?? this.#committedOffset;
    return this.#committedOffset < 0n ? null : this.#committedOffset;
  }

  /** `onFurther` is called for each incomplete record of which more has left since the last call. */
  follow(look: WatermarkTime, onFurther: (job: ProbeJob) => void): void {
    for (const { job } of this.#steps) {
      if (job?.hasComeFurther(look) === true) {
        onFurther(job);
      }
    }
  }

  committed(): void {
    this.#committedOffset = -1n;
  }
}

function hasLeft(job: ProbeJob | null): boolean {
  return job === null || (job.isDone && arePassed(job.marks));
}
