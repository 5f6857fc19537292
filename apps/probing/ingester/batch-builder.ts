/**
 * Builds batches of records, and tracks their offsets.
 *
 * After a crash it first rebuilds the batch of the journal, with exactly its ranges; other records wait.
 */
import type { IncomingRecord } from "../../../lib/engines/broker/broker.ts";
import type { Feed, Part } from "./feed.ts";
import type { JournaledBatch, OffsetRange } from "./journal.ts";
import { batchAgeMs, batchBytesMax, batchRowsMax, busyBatchAgeMs, busyBatchRows } from "./limits.ts";

export interface Batch extends JournaledBatch {
  readonly parts: readonly Part[];
  readonly rows: number;
}

interface Range {
  first: bigint;
  next: bigint;
}

export class BatchBuilder {
  readonly #feed: Feed;
  readonly #ranges = new Map<number, Range>();
  /** For each partition, the offset below which all records are in a taken batch: they are skipped when read again. */
  readonly #floors = new Map<number, bigint>();
  #startedAt = 0;
  #again: JournaledBatch | null = null;
  #held: IncomingRecord[] = [];

  constructor(feed: Feed) {
    this.#feed = feed;
  }

  /** Collects only the records of this batch until it is taken. */
  rebuild(batch: JournaledBatch, nowMs: number): void {
    this.#again = batch;
    this.#startedAt = nowMs;
  }

  /** Marks records as done that are already stored. */
  pass(ranges: readonly OffsetRange[]): void {
    for (const { partition, first, next } of ranges) {
      this.#ranges.set(partition, { first, next });
    }
  }

  /** Takes records of one partition, in order. */
  add(records: readonly IncomingRecord[], nowMs: number): void {
    for (const record of records) {
      if (this.#isForLater(record)) {
        this.#held.push(record);
      } else {
        this.#addOne(record, nowMs);
      }
    }
  }

  get isRebuilding(): boolean {
    return this.#again !== null;
  }

  /** Records that wait for the rebuilt batch. */
  get held(): number {
    return this.#held.length;
  }

  /** Whether every record of the rebuilt batch has arrived. */
  get isRebuilt(): boolean {
    const wanted = this.#again?.ranges ?? [];
    return wanted.every(({ partition, next }) => (this.#ranges.get(partition)?.next ?? 0n) >= next);
  }

  get isFull(): boolean {
    return this.#feed.rows >= batchRowsMax || this.#feed.bytes >= batchBytesMax;
  }

  /** Milliseconds that the batch may still wait for more, 0 when it is due. */
  restMs(nowMs: number): number {
    const ageMaxMs = this.#feed.rows < busyBatchRows ? batchAgeMs : busyBatchAgeMs;
    return this.isFull ? 0 : Math.max(0, ageMaxMs - this.ageMs(nowMs));
  }

  /** Milliseconds since the batch's first record arrived, or its rebuilding began; 0 when it is empty. */
  ageMs(nowMs: number): number {
    return this.isEmpty && !this.isRebuilding ? 0 : nowMs - this.#startedAt;
  }

  get isEmpty(): boolean {
    return this.#ranges.size === 0;
  }

  /**
   * Takes the batch; records that waited for a rebuilt one become the next. A batch that is not complete gets a new
   * token.
   */
  take(nowMs: number): Batch {
    const token = this.#again !== null && this.isRebuilt ? this.#again.token : crypto.randomUUID();
    const ranges = [...this.#ranges].map(([partition, { first, next }]) => ({ partition, first, next }));
    const batch = { token, ranges, rows: this.#feed.rows, parts: this.#feed.take() };
    for (const { partition, next } of ranges) {
      this.#floors.set(partition, next);
    }
    this.#ranges.clear();
    this.#again = null;
    const held = this.#held;
    this.#held = [];
    this.add(held, nowMs);
    return batch;
  }

  #isForLater({ partition, offset }: IncomingRecord): boolean {
    if (this.#again === null) {
      return false;
    }
    const range = this.#again.ranges.find((one) => one.partition === partition);
    if (range !== undefined && offset >= range.next) {
      // Retention may have removed the last records of the range: a later record shows that it has ended.
      this.#ranges.set(partition, { first: range.first, next: range.next });
    }
    return range === undefined || offset >= range.next;
  }

  #addOne(record: IncomingRecord, nowMs: number): void {
    const range = this.#ranges.get(record.partition);
    if (record.offset < (range?.next ?? this.#floors.get(record.partition) ?? 0n)) {
      return;
    }
    if (this.isEmpty && !this.isRebuilding) {
      this.#startedAt = nowMs;
    }
    this.#feed.add(record);
    const next = record.offset + 1n;
    if (range === undefined) {
      this.#ranges.set(record.partition, { first: record.offset, next });
    } else {
      range.next = next;
    }
  }
}
