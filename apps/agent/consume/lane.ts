/** One partition, as the consumer works through it: records in order, committed in order. */
import type { Outlet } from "./outlet.ts";
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
  #nextOffset = -1n;
  #committedOffset = -1n;

  constructor(topic: string, partition: number) {
    this.topic = topic;
    this.partition = partition;
  }

  /** False for a record that is here already: a broker that was away may bring it again. */
  add(offset: bigint, job: ProbeJob | null): boolean {
    if (offset < this.#nextOffset) {
      return false;
    }
    this.#nextOffset = offset + 1n;
    this.#steps.push({ offset, job });
    return true;
  }

  /** The record whose probes go out now. */
  current(): ProbeJob | null {
    return this.#steps.find(({ job }) => job !== null && !job.isDone)?.job ?? null;
  }

  /** Records whose probes are not all queued. */
  waiting(): number {
    return this.#steps.filter(({ job }) => job !== null && !job.isDone).length;
  }

  /** The offset before which everything has left this host, when that is news; null otherwise. */
  commitOffset(): bigint | null {
    let next: bigint | null = null;
    while (this.#steps[0] !== undefined && hasLeft(this.#steps[0].job)) {
      next = this.#steps[0].offset + 1n;
      this.#steps.shift();
    }
    // What could not be committed last time is still to be.
    this.#committedOffset = next ?? this.#committedOffset;
    return this.#committedOffset < 0n ? null : this.#committedOffset;
  }

  committed(): void {
    this.#committedOffset = -1n;
  }
}

function hasLeft(job: ProbeJob | null): boolean {
  return (
    job === null ||
    (job.isDone && [...job.marks].every(([outlet, mark]: [Outlet, number]) => outlet.done >= mark))
  );
}
