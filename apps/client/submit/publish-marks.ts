/**
 * How far a measurement is, told by the offset that an agent has committed.
 *
 * All records of a measurement lie in one partition, among those of others. Marks say: before this offset lie so
 * many probes of ours. They are bounded: when there are too many, every other one is forgotten, so that progress
 * shows in larger steps; the last one is always exact.
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
  /** Of the marks added, one in so many is kept. */
  #stride = 1;

  /** Says that all of ours before `nextOffset` are `probes`; both never go back. */
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

  /** Probes of ours that surely lie before this offset. */
  probesBefore(offset: bigint): number {
    if (this.#last !== null && offset >= this.#last.nextOffset) {
      return this.#last.probes;
    }
    return this.#marks.findLast(({ nextOffset }) => nextOffset <= offset)?.probes ?? 0;
  }

  /** Whether all that was published lies before this offset. */
  coversAll(offset: bigint): boolean {
    return this.#last !== null && offset >= this.#last.nextOffset;
  }
}
