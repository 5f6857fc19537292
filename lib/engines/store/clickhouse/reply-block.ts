/**
 * Records of `measure-replies` to one block of `measure.from_ingester`: straight from the bytes of the messages to
 * columns, without an object for each reply.
 *
 * A record holds any number of messages. A broken one is returned with its reason and bytes, and the record continues
 * after it if its frame is intact. Messages in the form of our own encoders are read by `PlainReply`, others by
 * `MessageReader`, ten times slower; both give the same result.
 */
import * as at from "../../../net/wire/layout.ts";
import { agentIdBytesMax } from "../../../net/wire/limits.ts";
import { MessageReader } from "../../../net/wire/message-reader.ts";
import type { WireReason } from "../../../net/wire/wire-reason.ts";
import { type NativeColumn, nativeBlock } from "./native-block.ts";
import { PlainReply } from "./plain-reply.ts";
import { RecordColumns } from "./record-columns.ts";
import { RepeatedTexts } from "./repeated-texts.ts";
import { ReplyColumns } from "./reply-columns.ts";
import { ReplyTimes } from "./reply-times.ts";
import { TakenRecords } from "./taken-records.ts";

export type RejectReason = WireReason | "timeReceived" | "header";

export interface RejectedMessage {
  readonly reason: RejectReason;
  /** The bytes of the message; those to the end of the record when its frame is broken. */
  readonly bytes: Uint8Array;
}

/** A record of `measure-replies`. */
interface ReplyRecord {
  readonly value: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
  readonly partition: number;
}

/** Where replies of a block go. */
export const replyBlockTable = "measure.from_ingester";

/**
 * Bytes of a row without labels and texts: 8 of time, 64 of addresses, 29 of numbers, 36 from its record's
 * headers.
 */
const rowBytes = 137;
const firstCapacityRows = 1024;

export class ReplyBlock {
  rows = 0;
  /** Duplicate messages skipped since the start. */
  repeated = 0;
  readonly #taken: TakenRecords;
  readonly #times = new ReplyTimes();
  readonly #plain = new PlainReply();
  readonly #agentIds = new RepeatedTexts();
  readonly #record = new RecordColumns();
  readonly #columns = new ReplyColumns();
  #capacityRows = 0;

  /** `taken`: records to skip. */
  constructor(taken = new TakenRecords()) {
    this.#taken = taken;
  }

  /** Bytes of the columns so far. */
  get bytes(): number {
    return this.rows * rowBytes + this.#columns.bytes + this.#record.bytes + this.#agentIds.column.bytes;
  }

  /** Adds the messages of one record; returns those that are not replies. `nowMs` bounds their times. */
  add({ value, headers, partition }: ReplyRecord, nowMs: number): readonly RejectedMessage[] {
    if (!this.#record.open(headers, partition)) {
      return [{ reason: "header", bytes: value }];
    }
    const firstRow = this.rows;
    this.#times.open(nowMs);
    const rejected = this.#addMessages(value);
    this.#record.fill(firstRow, this.rows);
    const { writer, sequence } = this.#record;
    if (sequence !== 0) {
      for (const day of this.#times.seen()) {
        this.#taken.add(writer, sequence, day);
      }
    }
    return rejected;
  }

  #addMessages(value: Uint8Array): RejectedMessage[] {
    const rejected: RejectedMessage[] = [];
    const isNew = !this.#isTaken(this.#times.day);
    if (isNew) {
      this.#plain.load(value);
    }
    let reader: MessageReader | null = null;
    // A record without a message is truncated, not empty.
    for (let start = 0; start < value.length || start === 0; ) {
      if (this.rows === this.#capacityRows) {
        this.#grow();
      }
      if (isNew && this.#plain.open(start) && this.#addPlain()) {
        start = this.#plain.next;
        continue;
      }
      reader ??= new MessageReader(value);
      reader.open(start);
      const reason = this.#addAny(reader);
      if (reason !== null) {
        rejected.push({ reason, bytes: value.slice(start, reader.next) });
      }
      start = Math.max(reader.next, start + 1);
    }
    return rejected;
  }

  /** Whether the record's replies of this day have been taken. */
  #isTaken(day: number): boolean {
    const { writer, sequence } = this.#record;
    return sequence !== 0 && sequence <= this.#taken.highest(writer, day);
  }

  #grow(): void {
    this.#capacityRows = Math.max(firstCapacityRows, 2 * this.#capacityRows);
    this.#columns.grow(this.#capacityRows);
    this.#record.grow(this.#capacityRows);
    this.#agentIds.column.places.grow(this.#capacityRows);
  }

  /** False if the time or the agent id needs a closer check. */
  #addPlain(): boolean {
    const { u32, bytes, data, agentId, agentIdBytes } = this.#plain;
    if (!this.#times.isPlain(u32[data] ?? 0, u32[data + 1] ?? 0)) {
      return false;
    }
    if (!this.#agentIds.open(bytes, 4 * agentId, 4 * agentId + agentIdBytes)) {
      return false;
    }
    if (!this.#columns.openSite(this.#plain)) {
      return false;
    }
    this.#times.noteDay();
    this.#columns.addPlain(this.#plain, this.rows);
    this.#agentIds.add(this.rows++);
    return true;
  }

  #addAny(reader: MessageReader): RejectReason | null {
    const timeNs = reader.u64(at.replyTimeReceivedNsOffset);
    if (reader.failure === null) {
      const day = this.#times.dayOf(timeNs);
      if (day < 0) {
        return "timeReceived";
      }
      if (this.#isTaken(day)) {
        this.repeated++;
        return null;
      }
    }
    this.#agentIds.read(reader, at.replyAgentIdPointer, agentIdBytesMax);
    this.#columns.addAny(reader, timeNs, this.rows);
    if (reader.failure !== null) {
      return reader.failure;
    }
    this.#agentIds.add(this.rows++);
    return null;
  }

  /** The block, ready to be inserted as `Native`. */
  toBytes(): Uint8Array {
    return nativeBlock(this.#allColumns(), this.rows);
  }

  #allColumns(): NativeColumn[] {
    const agentIds = this.#agentIds.column.data(this.rows);
    return [
      { name: "agent_id", type: "LowCardinality(String)", data: agentIds },
      ...this.#columns.columns(this.rows),
      ...this.#record.columns(this.rows),
    ];
  }

  /** Makes the block empty; its memory is used again. */
  clear(): void {
    this.rows = 0;
    this.#columns.clear();
    this.#record.clear();
    this.#agentIds.clear();
  }
}
