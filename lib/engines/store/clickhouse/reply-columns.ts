/** The columns of `measure.from_ingester` that come from the message itself: a row from either reader of messages. */
import { addressBytes } from "../../../net/ip/address.ts";
import { mplsLabelsMax, siteBytesMax } from "../../../net/packet/reply.ts";
import { readAddressInto } from "../../../net/wire/byte-lists.ts";
import * as at from "../../../net/wire/layout.ts";
import { elementBit, type MessageReader } from "../../../net/wire/message-reader.ts";
import { replyFields, type WireForm } from "../../../net/wire/reply-fields.ts";
import { ByteBuffer, type NativeColumn } from "./native-block.ts";
import type { PlainReply } from "./plain-reply.ts";
import { RepeatedTexts } from "./repeated-texts.ts";
import { RowColumn } from "./row-column.ts";

interface FieldColumn extends RowColumnOf {
  readonly type: string;
}

interface RowColumnOf {
  readonly name: string;
  /** As `at` of a field of replies. */
  readonly at: number;
  readonly values: RowColumn;
}

const addressUnits = addressBytes / 4;
/** Addresses of the answer and of the probe: a quoted one is only in messages of another form. */
const plainAddresses = 4;

/** In the order of their ordinals, which is that of their pointers too. */
function columnsOf(form: WireForm, type: string, width: number): FieldColumn[] {
  return replyFields
    .filter((field) => field.form === form)
    .map(({ column, at: place }) => ({ name: column, type, at: place, values: new RowColumn(width) }));
}

export class ReplyColumns {
  readonly #time = columnsOf("u64", "DateTime64(9, 'UTC')", 8);
  readonly #times = this.#time[0]?.values ?? new RowColumn(8);
  readonly #u8 = columnsOf("u8", "UInt8", 1);
  readonly #u16 = columnsOf("u16", "UInt16", 2);
  readonly #u32 = columnsOf("u32", "UInt32", 4);
  readonly #addresses = columnsOf("address", "IPv6", addressBytes);
  readonly #fields = [...this.#time, ...this.#u8, ...this.#u16, ...this.#u32, ...this.#addresses];
  readonly #labelEnds = new RowColumn(8);
  readonly #label = new ByteBuffer();
  readonly #labelExp = new ByteBuffer();
  readonly #labelBottom = new ByteBuffer();
  readonly #labelTtl = new ByteBuffer();
  readonly #labelParts = [this.#label, this.#labelExp, this.#labelBottom, this.#labelTtl];
  #labels = 0;
  readonly #sites = new RepeatedTexts();

  /** Bytes of labels and sites. */
  get bytes(): number {
    return this.#labelParts.reduce((sum, { length }) => sum + length, this.#sites.column.bytes);
  }

  grow(rows: number): void {
    this.#labelEnds.grow(rows);
    this.#sites.column.places.grow(rows);
    for (const { values } of this.#fields) {
      values.grow(rows);
    }
  }

  /** Whether the site of the message, which `addPlain` then writes, is UTF-8. */
  openSite({ bytes, site, siteBytes }: PlainReply): boolean {
    return this.#sites.open(bytes, 4 * site, 4 * site + siteBytes);
  }

  /** Writes the message as this row. */
  addPlain(message: PlainReply, row: number): void {
    const { bytes, u16, u32, data } = message;
    this.#times.u32[2 * row] = u32[data] ?? 0;
    this.#times.u32[2 * row + 1] = u32[data + 1] ?? 0;
    const dataBytes = 8 * message.dataWords;
    for (const { at: offset, values } of this.#u8) {
      values.bytes[row] = offset < dataBytes ? (bytes[4 * data + offset] ?? 0) : 0;
    }
    for (const { at: offset, values } of this.#u16) {
      values.u16[row] = offset < dataBytes ? (u16[2 * data + (offset >> 1)] ?? 0) : 0;
    }
    for (const { at: offset, values } of this.#u32) {
      values.u32[row] = offset < dataBytes ? (u32[data + (offset >> 2)] ?? 0) : 0;
    }
    for (let i = 0; i < this.#addresses.length; i++) {
      const target = this.#addresses[i]?.values.u32 ?? u32;
      if (i >= plainAddresses) {
        target.fill(0, addressUnits * row, addressUnits * (row + 1));
        continue;
      }
      const from = (i < 2 ? message.answer : message.probe) + (i & 1) * addressUnits;
      for (let unit = 0; unit < addressUnits; unit++) {
        target[addressUnits * row + unit] = u32[from + unit] ?? 0;
      }
    }
    for (let i = 0; i < message.labelCount; i++) {
      const label = message.labels + 2 * at.mplsDataWords * i;
      const low = 4 * label;
      this.#label.u32(u32[label + (at.mplsLabelOffset >> 2)] ?? 0);
      this.#labelExp.u8(bytes[low + at.mplsExpOffset] ?? 0);
      this.#labelBottom.u8(((bytes[low + (at.mplsSBitBit >> 3)] ?? 0) >> (at.mplsSBitBit & 7)) & 1);
      this.#labelTtl.u8(bytes[low + at.mplsTtlOffset] ?? 0);
    }
    this.#endLabels(row, message.labelCount);
    this.#sites.add(row);
  }

  /**
   * Writes a message in any valid encoding as this row; there is no row if the reader has failed afterwards.
   * Faults are found in the order of the codec, so that both name the same one first.
   */
  addAny(reader: MessageReader, timeNs: bigint, row: number): void {
    const labelsBefore = this.#labels;
    this.#addAddresses(reader, row, 0, 2);
    const labels = this.#addLabels(reader);
    this.#addAddresses(reader, row, 2, plainAddresses);
    this.#sites.read(reader, at.replyReplySitePointer, siteBytesMax);
    this.#addAddresses(reader, row, plainAddresses, this.#addresses.length);
    if (reader.failure !== null) {
      this.#undoLabels(labelsBefore);
      return;
    }
    this.#times.u32[2 * row] = Number(timeNs & 0xffffffffn);
    this.#times.u32[2 * row + 1] = Number(timeNs >> 32n);
    for (const { at: offset, values } of this.#u8) {
      values.bytes[row] = reader.u8(offset);
    }
    for (const { at: offset, values } of this.#u16) {
      values.u16[row] = reader.u16(offset);
    }
    for (const { at: offset, values } of this.#u32) {
      values.u32[row] = reader.u32(offset);
    }
    this.#endLabels(row, labels);
    this.#sites.add(row);
  }

  #addAddresses(reader: MessageReader, row: number, from: number, to: number): void {
    for (const { at: pointer, values } of this.#addresses.slice(from, to)) {
      readAddressInto(reader, pointer, values.bytes, addressBytes * row);
    }
  }

  #addLabels(reader: MessageReader): number {
    reader.openList(at.replyReplyMplsLabelPointer);
    if (reader.listElement === elementBit) {
      reader.fail("listElement");
      return 0;
    }
    const count = Math.min(reader.listCount, mplsLabelsMax);
    for (let i = 0; i < count; i++) {
      this.#label.u32(reader.elementU32(i, at.mplsLabelOffset));
      this.#labelExp.u8(reader.elementU8(i, at.mplsExpOffset));
      this.#labelBottom.u8((reader.elementU8(i, at.mplsSBitBit >> 3) >> (at.mplsSBitBit & 7)) & 1);
      this.#labelTtl.u8(reader.elementU8(i, at.mplsTtlOffset));
    }
    return count;
  }

  #endLabels(row: number, count: number): void {
    this.#labels += count;
    this.#labelEnds.u32[2 * row] = this.#labels;
    this.#labelEnds.u32[2 * row + 1] = 0;
  }

  #undoLabels(labels: number): void {
    this.#label.length = 4 * labels;
    this.#labelExp.length = labels;
    this.#labelBottom.length = labels;
    this.#labelTtl.length = labels;
  }

  columns(rows: number): NativeColumn[] {
    for (const column of [this.#labelEnds, ...this.#fields.map(({ values }) => values)]) {
      column.end(rows);
    }
    return [
      ...this.#fields.map(({ name, type, values }) => ({ name, type, data: [values] })),
      {
        name: "reply_mpls_labels",
        type: "Array(Tuple(UInt32, UInt8, UInt8, UInt8))",
        data: [this.#labelEnds, ...this.#labelParts],
      },
      { name: "reply_site", type: "LowCardinality(String)", data: this.#sites.column.data(rows) },
    ];
  }

  clear(): void {
    this.#labels = 0;
    this.#undoLabels(0);
    this.#sites.clear();
  }
}
