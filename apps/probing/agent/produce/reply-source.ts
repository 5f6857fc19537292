/**
 * Puts the replies of one receiver into batches. They stay in the ring until their batch is safe, so the next process
 * finds them if this one is killed: batch-ledger.ts.
 */
import {
  replyHeaderBytes,
  replyKeyOffset,
  replyMeasurementOffset,
  replyMessageBytesOffset,
} from "../../../../ffi/hotpath/memory-layout.ts";
import type { ByteRing } from "../engine/byte-ring.ts";
import type { BatchLedger, NotedBatch } from "./batch-ledger.ts";
import { type Batch, type BatcherConfig, ReplyBatcher } from "./reply-batcher.ts";

const chunkBytes = 65_536;

interface ReplySourceParts {
  readonly ring: ByteRing;
  readonly ledger: BatchLedger;
  readonly batcher: Omit<BatcherConfig, "source" | "firstNumber">;
  /** Called with the replies of each noted batch, by the number of their measurement; once, even over restarts. */
  readonly onTaken: (measurement: number, replies: number) => void;
}

export class ReplySource {
  readonly #parts: ReplySourceParts;
  readonly #chunk = Buffer.allocUnsafeSlow(chunkBytes);
  readonly #view = new DataView(this.#chunk.buffer, this.#chunk.byteOffset);
  readonly #batcher: ReplyBatcher;
  /** Replies of this batch, by the number of their measurement. */
  readonly #counts = new Map<number, number>();
  /** Bytes of the ring that are in batches. */
  #ahead = 0;
  #sinceMs = 0;
  /** A batch that did not fit the outbox. */
  waiting: Batch | null = null;

  constructor(parts: ReplySourceParts) {
    this.#parts = parts;
    const { batcher, ledger } = parts;
    this.#batcher = new ReplyBatcher({ ...batcher, source: this.#chunk, firstNumber: ledger.nextNumber });
  }

  get unattributed(): number {
    return this.#batcher.unattributed;
  }

  /** Bytes in the ring that are not in a batch yet. */
  get unreadBytes(): number {
    return this.#parts.ring.usedBytes() - this.#ahead;
  }

  get isIdle(): boolean {
    return this.unreadBytes === 0 && this.#batcher.isEmpty && this.waiting === null;
  }

  /** Whether a batch is ready: full, or older than `ageMs`. */
  isDue(ageMs: number): boolean {
    const isOld = performance.now() - this.#sinceMs >= ageMs;
    return this.waiting !== null || (!this.#batcher.isEmpty && (this.#batcher.isFull || isOld));
  }

  /** Fills the batch; true when it was full before the ring was empty. */
  fill(): boolean {
    while (!this.#batcher.isFull) {
      if (this.#batcher.isEmpty) {
        this.#sinceMs = performance.now();
      }
      if (this.#takeChunk(chunkBytes) === 0) {
        return false;
      }
    }
    return true;
  }

  /** The batch so far; its `onSafe` removes the replies from the ring. */
  take(): Batch {
    const { ring, ledger } = this.#parts;
    if (!ledger.hasRoom) {
      throw new Error("Cannot begin a batch of replies: too many are on their way");
    }
    const end = ring.position(this.#ahead);
    const firstNumber = this.#batcher.nextNumber - this.#batcher.recordsClosed;
    const batch = this.#batcher.take();
    ledger.note({ end, firstNumber }, this.#batcher.nextNumber);
    for (const [measurement, replies] of this.#counts) {
      this.#parts.onTaken(measurement, replies);
    }
    this.#counts.clear();
    return { ...batch, onSafe: () => this.#release(end) };
  }

  /** Makes a batch of an earlier process again: the same replies, in the same records, under the same numbers. */
  again({ end, firstNumber }: NotedBatch): Batch {
    const { ring } = this.#parts;
    const restBytes = () => ring.distanceTo(end) - this.#ahead;
    this.#batcher.nextNumber = firstNumber;
    for (let taken = 1; taken > 0 && restBytes() > 0; ) {
      taken = this.#takeChunk(restBytes());
    }
    this.#counts.clear();
    return { ...this.#batcher.take(), onSafe: () => this.#release(end) };
  }

  /** Call it once for each batch, in order; a second call does nothing. */
  #release(end: number): void {
    const { ring, ledger } = this.#parts;
    const count = ring.distanceTo(end);
    if (count > 0) {
      ring.advance(count);
      this.#ahead -= count;
      ledger.release();
    }
  }

  /** Whole replies of at most `bytesMax`; returns their bytes. */
  #takeChunk(bytesMax: number): number {
    const size = this.#parts.ring.peek(this.#chunk, 0, Math.min(chunkBytes, bytesMax), this.#ahead);
    let at = 0;
    while (at + replyHeaderBytes <= size && this.#isWhole(at, size)) {
      const message = at + replyHeaderBytes;
      const bytes = this.#view.getUint32(at + replyMessageBytesOffset, true);
      const measurement = this.#view.getInt32(at + replyMeasurementOffset, true);
      const sender = this.#view.getInt32(at + replyKeyOffset, true);
      this.#counts.set(measurement, (this.#counts.get(measurement) ?? 0) + 1);
      this.#batcher.add(measurement, sender, message, message + bytes);
      at += this.#view.getUint32(at, true);
    }
    this.#ahead += at;
    return at;
  }

  #isWhole(at: number, size: number): boolean {
    const bytes = this.#view.getUint32(at, true);
    return bytes >= replyHeaderBytes && at + bytes <= size;
  }
}
