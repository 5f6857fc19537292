/**
 * Records of `measure-replies` to one block of `measure.from_broker`: straight from the bytes of the messages to
 * columns, without an object for each reply.
 *
 * A record holds any number of messages. A broken one is returned with its reason and bytes, and the record continues
 * after it if its frame is intact.
 */
import { addressBytes } from "../../ip/address.ts";
import { mplsLabelsMax } from "../../packet/reply.ts";
import { readAddressInto } from "../../wire/byte-lists.ts";
import * as at from "../../wire/layout.ts";
import { agentIdBytesMax } from "../../wire/limits.ts";
import { elementBit, elementByte, MessageReader } from "../../wire/message-reader.ts";
import { type ReplyField, replyFields, type WireForm } from "../../wire/reply-fields.ts";
import type { WireReason } from "../../wire/wire-reason.ts";
import { HeaderColumns, type HeaderTexts } from "./header-columns.ts";
import { timeAheadMaxNs, timeBehindMaxNs } from "./limits.ts";
import { ByteBuffer, type NativeColumn, nativeBlock } from "./native-block.ts";
import { type RecordNumber, recordNumberOf, TakenRecords } from "./taken-records.ts";

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

/** Values shared by the messages of one record. */
interface Context {
  readonly texts: HeaderTexts;
  readonly number: RecordNumber | null;
  readonly partition: number;
  /** Bounds of their times. */
  readonly first: bigint;
  readonly last: bigint;
  /** Days of the accepted messages. */
  readonly days: Set<number>;
}

const dayNs = 86_400_000_000_000n;
const strictUtf8 = new TextDecoder("utf-8", { fatal: true });

const u8Fields = fieldsOf("u8");
const u16Fields = fieldsOf("u16");
const addressFields = fieldsOf("address");

/** In the order of their ordinals, which is that of their pointers too. */
function fieldsOf(form: WireForm): readonly ReplyField[] {
  return replyFields.filter((field) => field.form === form);
}

export class ReplyBlock {
  rows = 0;
  /** Duplicate messages skipped since the start. */
  repeated = 0;
  readonly #taken: TakenRecords;
  readonly #time = new ByteBuffer();
  readonly #agentId = new ByteBuffer();
  readonly #u8 = u8Fields.map(({ at: offset }) => ({ offset, buffer: new ByteBuffer() }));
  readonly #u16 = u16Fields.map(({ at: offset }) => ({ offset, buffer: new ByteBuffer() }));
  readonly #addresses = addressFields.map(({ at: pointer }) => ({ pointer, buffer: new ByteBuffer() }));
  readonly #labelEnds = new ByteBuffer();
  readonly #label = new ByteBuffer();
  readonly #labelExp = new ByteBuffer();
  readonly #labelBottom = new ByteBuffer();
  readonly #labelTtl = new ByteBuffer();
  #labels = 0;
  readonly #partition = new ByteBuffer();
  readonly #headers = new HeaderColumns();
  readonly #buffers = [
    ...[this.#time, this.#agentId, this.#labelEnds, this.#label, this.#labelExp, this.#labelBottom],
    ...[this.#labelTtl, this.#partition],
    ...[this.#u8, this.#u16, this.#addresses].flatMap((fields) => fields.map(({ buffer }) => buffer)),
  ];

  /** `taken`: records to skip. */
  constructor(taken = new TakenRecords()) {
    this.#taken = taken;
  }

  /** Bytes of the columns so far. */
  get bytes(): number {
    return [...this.#buffers, ...this.#headers.buffers].reduce((sum, { length }) => sum + length, 0);
  }

  /** Adds the messages of one record; returns those that are not replies. `nowMs` bounds their times. */
  add({ value, headers, partition }: ReplyRecord, nowMs: number): RejectedMessage[] {
    const texts = this.#headers.of(headers);
    if (texts === null) {
      return [{ reason: "header", bytes: value }];
    }
    const nowNs = BigInt(nowMs) * 1_000_000n;
    const number = recordNumberOf(headers, partition);
    const times = { first: nowNs - timeBehindMaxNs, last: nowNs + timeAheadMaxNs };
    const context = { texts, number, partition, ...times, days: new Set<number>() };
    const rejected: RejectedMessage[] = [];
    const reader = new MessageReader(value);
    // A record without a message is truncated, not empty.
    for (let start = 0; start < value.length || start === 0; start = Math.max(reader.next, start + 1)) {
      reader.open(start);
      const reason = this.#addMessage(reader, context);
      if (reason !== null) {
        rejected.push({ reason, bytes: value.slice(start, reader.next) });
      }
    }
    if (number !== null) {
      this.#taken.add(number, context.days);
    }
    return rejected;
  }

  #addMessage(reader: MessageReader, context: Context): RejectReason | null {
    const timeNs = reader.u64(at.replyTimeReceivedNsOffset);
    if (reader.failure === null && (timeNs < context.first || timeNs > context.last)) {
      return "timeReceived";
    }
    if (reader.failure === null && this.#wasTaken(context, timeNs)) {
      this.repeated++;
      return null;
    }
    // Columns of one width are undone by their row count, the others by their lengths.
    const agentIdEnd = this.#agentId.length;
    const labels = this.#labels;
    this.#addAgentId(reader);
    // In the order of the codec, so that both name the same fault first.
    this.#placeAddresses(reader, 0, 2);
    this.#addLabels(reader);
    this.#placeAddresses(reader, 2, 4);
    if (reader.failure !== null) {
      this.#agentId.length = agentIdEnd;
      this.#undoLabels(labels);
      return reader.failure;
    }
    this.#time.u64(timeNs);
    this.#addNumbers(reader);
    this.#partition.count(context.partition);
    this.#headers.add(context.texts, context.number?.sequenceText ?? null);
    this.rows++;
    return null;
  }

  #wasTaken({ number, days }: Context, timeNs: bigint): boolean {
    if (number === null) {
      return false;
    }
    const day = Number(timeNs / dayNs);
    days.add(day);
    return this.#taken.has(number, day);
  }

  /** The text's bytes unchanged, after a check for UTF-8. */
  #addAgentId(reader: MessageReader): void {
    reader.openList(at.replyAgentIdPointer);
    const { bytes, listAt, listCount, listElement } = reader;
    if (listElement !== elementByte) {
      reader.fail("listElement");
      return;
    }
    if (listCount === 0) {
      this.#agentId.u8(0);
      return;
    }
    const end = listAt + listCount - 1;
    if (listCount > agentIdBytesMax + 1 || bytes[end] !== 0 || !isUtf8(bytes, listAt, end)) {
      reader.fail("text");
      return;
    }
    this.#agentId.text(bytes.subarray(listAt, end));
  }

  /** Behind the rows; they become one with the row. */
  #placeAddresses(reader: MessageReader, from: number, to: number): void {
    for (let i = from; i < to; i++) {
      const field = this.#addresses[i];
      if (field !== undefined) {
        const start = field.buffer.room(1 + addressBytes);
        field.buffer.bytes[start] = addressBytes;
        readAddressInto(reader, field.pointer, field.buffer.bytes, start + 1);
      }
    }
  }

  #addLabels(reader: MessageReader): void {
    reader.openList(at.replyReplyMplsLabelPointer);
    if (reader.listElement === elementBit) {
      reader.fail("listElement");
      return;
    }
    const count = Math.min(reader.listCount, mplsLabelsMax);
    for (let i = 0; i < count; i++) {
      this.#label.u32(reader.elementU32(i, at.mplsLabelOffset));
      this.#labelExp.u8(reader.elementU8(i, at.mplsExpOffset));
      this.#labelBottom.u8((reader.elementU8(i, at.mplsSBitBit >> 3) >> (at.mplsSBitBit & 7)) & 1);
      this.#labelTtl.u8(reader.elementU8(i, at.mplsTtlOffset));
    }
    this.#labels += count;
  }

  #undoLabels(labels: number): void {
    this.#labels = labels;
    this.#label.length = 4 * labels;
    this.#labelExp.length = labels;
    this.#labelBottom.length = labels;
    this.#labelTtl.length = labels;
  }

  #addNumbers(reader: MessageReader): void {
    for (const { buffer } of this.#addresses) {
      buffer.length += 1 + addressBytes;
    }
    for (const { offset, buffer } of this.#u8) {
      buffer.u8(reader.u8(offset));
    }
    for (const { offset, buffer } of this.#u16) {
      buffer.u16(reader.u16(offset));
    }
    this.#labelEnds.count(this.#labels);
  }

  /** The block, ready to be inserted as `Native`. */
  toBytes(): Uint8Array {
    return nativeBlock(this.#columns(), this.rows);
  }

  #columns(): NativeColumn[] {
    const named = (fields: readonly ReplyField[], of: readonly { buffer: ByteBuffer }[], type: string) =>
      of.map(({ buffer }, i) => ({ name: fields[i]?.name ?? "", type, data: [buffer] }));
    return [
      { name: "timeReceivedNs", type: "UInt64", data: [this.#time] },
      { name: "agentId", type: "String", data: [this.#agentId] },
      ...named(u8Fields, this.#u8, "UInt8"),
      ...named(u16Fields, this.#u16, "UInt16"),
      ...named(addressFields, this.#addresses, "String"),
      {
        name: "replyMplsLabel",
        type: "Array(Tuple(label UInt32, exp UInt8, sBit UInt8, ttl UInt8))",
        data: [this.#labelEnds, this.#label, this.#labelExp, this.#labelBottom, this.#labelTtl],
      },
      { name: "_partition", type: "UInt64", data: [this.#partition] },
      ...this.#headers.columns,
    ];
  }

  /** Makes the block empty; its memory is used again. */
  clear(): void {
    this.rows = 0;
    this.#labels = 0;
    this.#headers.clear();
    for (const buffer of this.#buffers) {
      buffer.length = 0;
    }
  }
}

/** ASCII, as almost every id is, without the decoder. */
function isUtf8(bytes: Uint8Array, start: number, end: number): boolean {
  let seen = 0;
  for (let i = start; i < end; i++) {
    seen |= bytes[i] ?? 0;
  }
  if (seen < 0x80) {
    return true;
  }
  try {
    strictUtf8.decode(bytes.slice(start, end));
    return true;
  } catch {
    return false;
  }
}
