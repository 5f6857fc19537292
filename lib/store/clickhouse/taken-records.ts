/**
 * Tracks which records of replies are in the store or being inserted, so that a record that its agent publishes again
 * is stored once.
 *
 * An agent numbers its records, and they keep their order within a partition. So the highest number of each writer,
 * partition and day is enough. By day, because rows of one day are stored as a whole and of two days are not. The
 * state is read from the store itself, so it matches the rows after any crash.
 */
import { replyHeaders } from "../../wire/target-header.ts";
import { producersMax } from "./limits.ts";

/** The number of a record. */
export interface RecordNumber {
  /** Its writer, a slash, its partition: as in column `producer` of `measure.replies`. */
  readonly producer: string;
  readonly sequence: number;
  /** As it came. */
  readonly sequenceText: string;
}

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
const sequencePattern = /^[1-9][0-9]{0,14}$/;

/** Null without a readable number. */
export function recordNumberOf(
  headers: Readonly<Record<string, string>>,
  partition: number,
): RecordNumber | null {
  const name = headers[replyHeaders.producer] ?? "";
  const sequenceText = headers[replyHeaders.sequence] ?? "";
  return namePattern.test(name) && sequencePattern.test(sequenceText)
    ? { producer: `${name}/${partition}`, sequence: Number(sequenceText), sequenceText }
    : null;
}

export class TakenRecords {
  /** By producer, least recently seen first; then by day. */
  readonly #highest = new Map<string, Map<number, number>>();

  /** Replaces the known state by the store's. */
  load(rows: readonly TakenRow[]): void {
    this.#highest.clear();
    for (const { producer, day, sequence } of rows) {
      this.#daysOf(producer).set(day, sequence);
    }
  }

  /** Whether replies of this day out of the record have been taken. */
  has({ producer, sequence }: RecordNumber, day: number): boolean {
    return sequence <= (this.#highest.get(producer)?.get(day) ?? 0);
  }

  /** Marks all of the record's replies of these days as taken. */
  add({ producer, sequence }: RecordNumber, days: Iterable<number>): void {
    const known = this.#daysOf(producer);
    this.#highest.delete(producer);
    this.#highest.set(producer, known);
    for (const day of days) {
      known.set(day, Math.max(sequence, known.get(day) ?? 0));
    }
  }

  #daysOf(producer: string): Map<number, number> {
    const known = this.#highest.get(producer);
    if (known !== undefined) {
      return known;
    }
    const days = new Map<number, number>();
    this.#highest.set(producer, days);
    const [oldest] = this.#highest.keys();
    if (this.#highest.size > producersMax && oldest !== undefined) {
      this.#highest.delete(oldest);
    }
    return days;
  }
}
