/**
 * Tracks which records of replies are in the store or being inserted, so that a record that an agent
 * publishes twice is stored once.
 *
 * An agent numbers its records, and they keep their order within a partition. So the highest number of each writer,
 * partition and day is enough. By day, because the rows of one day are stored atomically, those of two days
 * are not. The state is read from the store itself, so it matches the rows after any crash.
 */
import { producersMax } from "./limits.ts";

/** A row of `takenQuery`. */
export interface TakenRow {
  readonly producer: string;
  /** Since 1970, UTC. */
  readonly day: number;
  readonly sequence: number;
}

/** Reads two columns of all rows, which are alike for long stretches: some seconds for 100 million. */
export const takenQuery = `SELECT producer, toUInt16(date) AS day, toFloat64(max(sequence)) AS sequence
  FROM measure.replies WHERE producer != '' GROUP BY producer, date ORDER BY day`;

const namePattern = /^[!-~]{1,64}$/;
const sequenceDigitsMax = 15;

/**
 * The writer that numbers records, as in column `producer` of `measure.replies`; empty when the name is not
 * ours.
 */
export function writerOf(name: string, partition: number): string {
  return namePattern.test(name) ? `${name}/${partition}` : "";
}

/** The number of a record, below 10^15; 0 for any other text. */
export function sequenceOf(text: string): number {
  if (text.length > sequenceDigitsMax || text.charCodeAt(0) === 0x30) {
    return 0;
  }
  let sequence = 0;
  for (let i = 0; i < text.length; i++) {
    const digit = text.charCodeAt(i) - 0x30;
    if (digit < 0 || digit > 9) {
      return 0;
    }
    sequence = 10 * sequence + digit;
  }
  return sequence;
}

export class TakenRecords {
  /** By producer, least recently seen first; then by day. */
  readonly #highest = new Map<string, Map<number, number>>();
  /** The most recent writer: its records come one after another. */
  #recent = { writer: "", days: new Map<number, number>() };

  /** Replaces the known state by the store's. */
  load(rows: readonly TakenRow[]): void {
    this.#highest.clear();
    this.#recent = { writer: "", days: new Map() };
    for (const { producer, day, sequence } of rows) {
      this.#daysOf(producer).set(day, sequence);
    }
  }

  /** The highest number of a writer that was taken on this day; 0 = none. */
  highest(writer: string, day: number): number {
    return this.#recent.writer === writer
      ? (this.#recent.days.get(day) ?? 0)
      : (this.#highest.get(writer)?.get(day) ?? 0);
  }

  /** Marks all of the record's replies of this day as taken. */
  add(writer: string, sequence: number, day: number): void {
    if (this.#recent.writer !== writer) {
      const days = this.#daysOf(writer);
      this.#highest.delete(writer);
      this.#highest.set(writer, days);
      this.#recent = { writer, days };
    }
    const { days } = this.#recent;
    days.set(day, Math.max(sequence, days.get(day) ?? 0));
  }

  #daysOf(writer: string): Map<number, number> {
    const known = this.#highest.get(writer);
    if (known !== undefined) {
      return known;
    }
    const days = new Map<number, number>();
    this.#highest.set(writer, days);
    const [oldest] = this.#highest.keys();
    if (this.#highest.size > producersMax && oldest !== undefined) {
      this.#highest.delete(oldest);
    }
    return days;
  }
}
