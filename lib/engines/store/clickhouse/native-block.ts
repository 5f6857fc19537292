/**
 * One block of ClickHouse's Native format, column after column: the fastest format to insert, made here
 * without an object for each row.
 *
 *   varuint columns | varuint rows | for each column: text name | text type | data
 *
 * A text is a varuint length and its bytes. Data: integers little endian, one after another; String: a text for
 * each row; Array: u64 for each row, where its elements end, counted from the block's start, then the elements'
 * column; Tuple: the columns of its elements; LowCardinality: see text-column.ts. A varuint has 7 bits a byte, the
 * lowest first, bit 7 set on all but the last. Source: clickhouse.com/docs, "Native Format"; tried with 26.7.
 */

/** Grows by doubling, and keeps its memory from block to block. */
export class ByteBuffer {
  bytes: Uint8Array;
  view: DataView;
  length = 0;

  constructor(capacity = 1024) {
    this.bytes = new Uint8Array(capacity);
    this.view = new DataView(this.bytes.buffer);
  }

  /** Makes room for `count` more bytes; returns their offset. The caller advances `length`. */
  room(count: number): number {
    const needed = this.length + count;
    if (needed > this.bytes.length) {
      const bytes = new Uint8Array(Math.max(needed, 2 * this.bytes.length));
      bytes.set(this.bytes.subarray(0, this.length));
      this.bytes = bytes;
      this.view = new DataView(bytes.buffer);
    }
    return this.length;
  }

  u8(value: number): void {
    const at = this.room(1);
    this.bytes[at] = value;
    this.length = at + 1;
  }

  u16(value: number): void {
    const at = this.room(2);
    this.bytes[at] = value;
    this.bytes[at + 1] = value >>> 8;
    this.length = at + 2;
  }

  /** Byte by byte: a DataView takes four times as long. */
  u32(value: number): void {
    const at = this.room(4);
    this.#setU32(at, value);
    this.length = at + 4;
  }

  u64(value: bigint): void {
    const at = this.room(8);
    this.view.setBigUint64(at, value, true);
    this.length = at + 8;
  }

  /** A whole number below 2^53, as u64. */
  count(value: number): void {
    const at = this.room(8);
    this.#setU32(at, value);
    this.#setU32(at + 4, value / 2 ** 32);
    this.length = at + 8;
  }

  #setU32(at: number, value: number): void {
    this.bytes[at] = value;
    this.bytes[at + 1] = value >>> 8;
    this.bytes[at + 2] = value >>> 16;
    this.bytes[at + 3] = value >>> 24;
  }

  varuint(value: number): void {
    let rest = value;
    while (rest >= 0x80) {
      this.u8((rest % 0x80) | 0x80);
      rest = Math.floor(rest / 0x80);
    }
    this.u8(rest);
  }

  raw(bytes: Uint8Array): void {
    const at = this.room(bytes.length);
    this.bytes.set(bytes, at);
    this.length = at + bytes.length;
  }

  /** Length and bytes, as a text of the format. */
  text(bytes: Uint8Array): void {
    this.varuint(bytes.length);
    this.raw(bytes);
  }

  /** A copy of what was written. */
  taken(): Uint8Array {
    return this.bytes.slice(0, this.length);
  }
}

/** The first `length` of these bytes. */
export type Filled = Pick<ByteBuffer, "bytes" | "length">;

export interface NativeColumn {
  readonly name: string;
  /** As ClickHouse writes it: `UInt16`, `Array(String)`. */
  readonly type: string;
  /** The buffers whose bytes, one after another, are the column's data. */
  readonly data: readonly Filled[];
}

const utf8 = new TextEncoder();

/** The block's bytes; every column must hold `rows` rows. */
export function nativeBlock(columns: readonly NativeColumn[], rows: number): Uint8Array {
  const dataBytes = columns
    .flatMap(({ data }) => data.map(({ length }) => length))
    .reduce((sum, length) => sum + length, 0);
  const block = new ByteBuffer(dataBytes + 64 * (columns.length + 1));
  block.varuint(columns.length);
  block.varuint(rows);
  for (const { name, type, data } of columns) {
    block.text(utf8.encode(name));
    block.text(utf8.encode(type));
    for (const { bytes, length } of data) {
      block.raw(bytes.subarray(0, length));
    }
  }
  return block.bytes.subarray(0, block.length);
}

/** A block under construction, whose columns a subclass fills; memory is reused from block to block. */
export abstract class NativeRows {
  rows = 0;
  protected abstract readonly columns: readonly NativeColumn[];

  /** Bytes of the columns so far. */
  get bytes(): number {
    return this.columns.reduce(
      (sum, { data }) => sum + data.reduce((part, { length }) => part + length, 0),
      0,
    );
  }

  /** The block, ready to be inserted as `Native`. */
  toBytes(): Uint8Array {
    return nativeBlock(this.columns, this.rows);
  }

  /** Makes the block empty; its memory is used again. */
  clear(): void {
    this.rows = 0;
    for (const { data } of this.columns) {
      for (const buffer of data) {
        buffer.length = 0;
      }
    }
  }
}
