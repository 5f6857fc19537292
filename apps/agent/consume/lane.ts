/** One partition, as the consumer works through it: records in order, committed in order. */
import { heldBytesMax, laneRecordsMax } from "../limits.ts";
import { arePassed, type Look } from "./left-trail.ts";
import type { ProbeJob } from "./probe-job.ts";

interface Step {
  readonly offset: bigint;
  /** Null = nothing of the record is sent. */
  readonly job: ProbeJob | null;
}

export class Lane {
  readonly topic: string;
  readonly partition: number;
  isPaused = false;
  /** In the order of their offsets: done with or not, and not committed. */
  readonly #steps: Step[] = [];
  /** Of the record that comes next, or later. */
  nextOffset = -1n;
  #committedOffset = -1n;

  constructor(topic: string, partition: number) {
    this.topic = topic;
    this.partition = partition;
  }

  /** False for a record that is here already: a broker that was away may bring it again. */
  add(offset: bigint, job: ProbeJob | null): boolean {
    if (offset < this.nextOffset) {
      return false;
    }
    this.nextOffset = offset + 1n;
    this.#steps.push({ offset, job });
    return true;
  }

  /** The record whose probes go out now: the first that does not wait for its destinations. */
  current(paceMs: number): ProbeJob | null {
    const isNext = ({ job }: Step) => job !== null && !job.isDone && job.stalledUntilMs <= paceMs;
    return this.#steps.find(isNext)?.job ?? null;
  }

  /** Whether a record here has probes that are not queued. */
  get isOpen(): boolean {
    return this.#steps.some(({ job }) => job !== null && !job.isDone);
  }

  /** The first index from `from` on that no record here has of the same list of probes. */
  coveredTo(measurementId: string, target: string, from: number): number {
    return this.#steps.reduce((to, { job }) => {
      const isSame = job?.record.header.measurementId === measurementId && job.target === target;
      return isSame && job.from <= to ? Math.max(to, job.to) : to;
    }, from);
  }

  /** Whether enough is here. Records that wait for their destinations hold up others only by their size. */
  isFull(paceMs: number): boolean {
    const open = this.#steps.flatMap(({ job }) => (job === null || job.isDone ? [] : [job]));
    const stalled = open.filter(({ stalledUntilMs }) => stalledUntilMs > paceMs);
    const bytes = stalled.reduce((sum, { record }) => sum + record.value.length, 0);
    return open.length - stalled.length >= laneRecordsMax || bytes >= heldBytesMax;
  }

  /**
   * The offset before which everything has left this host, when that is news; null otherwise. `onLeft` hears of each
   * record that is done for good now.
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
    // What could not be committed last time is still to be.
    this.#committedOffset = next ?? this.#committedOffset;
    return this.#committedOffset < 0n ? null : this.#committedOffset;
  }

  /** `onFurther` hears of each record of which more has left since the last call, and not all. */
  follow(look: Look, onFurther: (job: ProbeJob) => void): void {
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
