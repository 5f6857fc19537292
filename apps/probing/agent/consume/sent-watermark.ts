/**
 * How far a record has been sent while the rest of it is still in the rings.
 *
 * A note holds how far the record was read, and how far each ring was filled then. A ring is a queue: when every
 * sender has taken all that its ring held at the note, everything read before the note has been sent, or never will
 * be. A note counts some time later, when the replies have left this host too: replies in its memory do not survive a
 * crash.
 */
import { leftNotesMax } from "../limits.ts";
import type { SenderFeed } from "./sender-feed.ts";

/** For each sender, the number of packets put into its ring. */
type RingPositions = ReadonlyMap<SenderFeed, number>;

export function arePassed(marks: RingPositions): boolean {
  return [...marks].every(([feed, mark]) => feed.done >= mark);
}

interface ReadNote {
  /** Index after the last probe that is completely in a ring, or will never be. */
  readonly position: number;
  /** How many of the probes before it will never be sent. */
  readonly probesUnsent: number;
  readonly marks: RingPositions;
}

export interface WatermarkTime {
  readonly nowMs: number;
  /** How old a note must be to count. */
  readonly settleMs: number;
}

export class SentWatermark {
  /** Index after the last probe that is known to have been sent. */
  position: number;
  /** Unsent probes before it. */
  probesUnsent = 0;
  /** In the order of their positions. */
  readonly #notes: (ReadNote & { readonly notedAtMs: number })[] = [];

  constructor(position: number) {
    this.position = position;
  }

  /**
   * Call it regularly with the reading position, null = at the end; true when more has been sent since the last call.
   */
  follow(reading: ReadNote | null, { nowMs, settleMs }: WatermarkTime): boolean {
    const before = this.position;
    const counts = (note: { readonly marks: RingPositions; readonly notedAtMs: number }) =>
      nowMs - note.notedAtMs >= settleMs && arePassed(note.marks);
    if (reading !== null && reading.position > (this.#notes.at(-1)?.position ?? before)) {
      this.#note(reading, nowMs);
    }
    for (let first = this.#notes[0]; first !== undefined && counts(first); first = this.#notes[0]) {
      this.position = first.position;
      this.probesUnsent = first.probesUnsent;
      this.#notes.shift();
    }
    return this.position > before;
  }

  #note({ position, probesUnsent, marks }: ReadNote, notedAtMs: number): void {
    if (this.#notes.length < leftNotesMax) {
      this.#notes.push({ position, probesUnsent, marks: new Map(marks), notedAtMs });
    }
  }
}
