/**
 * A measurement's progress, from the offset that an agent has committed.
 *
 * All records of a measurement are in one partition, among those of others. A mark is the number of our probes before
 * an offset. Marks are bounded: when there are too many, every other one is dropped, so that progress shows in larger
 * steps; the last one is always exact.
 */
import { marksMax } from "../limits.ts";

interface Mark {
  readonly nextOffset: bigint;
  readonly probes: number;
}

export class PublishMarks {
  #marks: Mark[] = [];
  #last: Mark | null = null;
  #added = 0;
  /** One in this many added marks is kept. */
  #stride = 1;

  /** Adds a mark: `probes` of this client are before `nextOffset`; both only grow. */
  add(nextOffset: bigint, probes: number): void {
    this.#last = { nextOffset, probes };
    this.#added++;
    if (this.#added % this.#stride === 0) {
      this.#marks.push(this.#last);
    }
    if (this.#marks.length >= marksMax) {
      this.#marks = this.#marks.filter((_, i) => i % 2 === 1);
      this.#stride *= 2;
    }
  }

  /** Our probes that are certainly before this offset. */
  probesBefore(offset: bigint): number {
    if (this.#last !== null && offset >= this.#last.nextOffset) {
      return this.#last.probes;
    }
    return this.#marks.findLast(({ nextOffset }) => nextOffset <= offset)?.probes ?? 0;
  }

  /** Whether all published probes are before this offset. */
  coversAll(offset: bigint): boolean {
    return this.#last !== null && offset >= this.#last.nextOffset;
  }
}
