/**
 * Parquet files with the same columns as one file, one after the other, without reading their data: their row groups
 * one behind the other, and one footer. So a large answer can be queried in parts, and sent while it is made.
 *
 * A file is "PAR1", data, footer (Thrift), its length (4 bytes, little endian), "PAR1". Offsets in a footer count from
 * the beginning of the file: those of a later part are moved. Source: apache/parquet-format, parquet.thrift.
 */
import { readThrift, type ThriftStruct, thriftTypes, writeThrift } from "./thrift-compact.ts";

const magic = new TextEncoder().encode("PAR1");
const tailBytes = 8;

const file = { rows: 3, groups: 4 } as const;
const group = { columns: 1, offset: 5, ordinal: 7 } as const;
/** Indexes of pages and their Bloom filters have offsets within the data: a reader does without them. */
const chunk = { offset: 2, metadata: 3, indexes: [4, 5, 6, 7] } as const;
const column = { size: 7, data: 9, dictionary: 11, offsets: [9, 10, 11], bloomFilter: [14, 15] } as const;

interface ParquetPart {
  readonly footer: ThriftStruct;
  readonly groups: readonly ThriftStruct[];
  /** The data begins at 4. Behind it may be indexes. */
  readonly dataEnd: number;
}

export class ParquetJoin {
  #first: ThriftStruct | null = null;
  /** Row groups so far: some 100 bytes for each column and part. */
  readonly #groups: ThriftStruct[] = [];
  #rows = 0n;
  #at = 0;

  /** The bytes that a part adds. Throws a RangeError when it is not a Parquet file. */
  add(part: Uint8Array): Uint8Array {
    const { footer, groups, dataEnd } = readPart(part);
    const isFirst = this.#first === null;
    this.#first ??= footer;
    // The data of a later part begins where ours ends, and there it begins at 4.
    const by = BigInt(isFirst ? 0 : this.#at - magic.length);
    this.#groups.push(...groups.map((one) => movedGroup(one, by)));
    this.#rows += numberAt(footer, file.rows);
    const added = part.subarray(isFirst ? 0 : magic.length, dataEnd);
    this.#at += added.length;
    return added;
  }

  /** The end of the file; nothing where no part has come. */
  end(): Uint8Array {
    if (this.#first === null) {
      return new Uint8Array();
    }
    const fields = new Map(this.#first.fields);
    fields.set(file.rows, { type: thriftTypes.i64, value: this.#rows });
    const groups = { elementType: thriftTypes.struct, elements: this.#groups };
    fields.set(file.groups, { type: thriftTypes.list, value: groups });
    const footer = writeThrift({ fields });
    const end = new Uint8Array(footer.length + tailBytes);
    end.set(footer);
    new DataView(end.buffer).setUint32(footer.length, footer.length, true);
    end.set(magic, footer.length + 4);
    return end;
  }
}

/** Rows of a Parquet file. Throws a RangeError on other bytes. */
export function parquetRows(bytes: Uint8Array): number {
  return Number(numberAt(readPart(bytes).footer, file.rows));
}

function readPart(bytes: Uint8Array): ParquetPart {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const isParquet = bytes.length > magic.length + tailBytes && isMagic(bytes.subarray(-4));
  const footerAt = isParquet ? bytes.length - tailBytes - view.getUint32(bytes.length - tailBytes, true) : 0;
  if (footerAt < magic.length) {
    throw new RangeError("The store has not written a Parquet file");
  }
  const footer = readThrift(bytes.subarray(footerAt, -tailBytes));
  const groups = structsAt(footer, file.groups);
  const ends = groups.flatMap((one) => structsAt(one, group.columns)).map(chunkEnd);
  return { footer, groups, dataEnd: Math.max(magic.length, ...ends) };
}

function chunkEnd({ fields }: ThriftStruct): number {
  const metadata = fields.get(chunk.metadata)?.value;
  if (!isStruct(metadata)) {
    return 0;
  }
  const [data, dictionary] = [numberAt(metadata, column.data), numberAt(metadata, column.dictionary)];
  const begin = dictionary > 0n && dictionary < data ? dictionary : data;
  return Number(begin + numberAt(metadata, column.size));
}

function isMagic(bytes: Uint8Array): boolean {
  return magic.every((byte, i) => bytes[i] === byte);
}

function movedGroup(given: ThriftStruct, by: bigint): ThriftStruct {
  const fields = movedFields(given, [group.offset], by);
  // 16 bits, and optional.
  fields.delete(group.ordinal);
  const elements = structsAt(given, group.columns).map((one) => movedChunk(one, by));
  fields.set(group.columns, { type: thriftTypes.list, value: { elementType: thriftTypes.struct, elements } });
  return { fields };
}

function movedChunk(given: ThriftStruct, by: bigint): ThriftStruct {
  const fields = movedFields(given, [chunk.offset], by);
  for (const id of chunk.indexes) {
    fields.delete(id);
  }
  const metadata = given.fields.get(chunk.metadata)?.value;
  if (isStruct(metadata)) {
    const own = movedFields(metadata, column.offsets, by);
    for (const id of column.bloomFilter) {
      own.delete(id);
    }
    fields.set(chunk.metadata, { type: thriftTypes.struct, value: { fields: own } });
  }
  return { fields };
}

/** 0 = no offset. */
function movedFields({ fields }: ThriftStruct, ids: readonly number[], by: bigint) {
  const moved = new Map(fields);
  for (const id of ids) {
    const given = fields.get(id);
    if (typeof given?.value === "bigint" && given.value > 0n) {
      moved.set(id, { type: given.type, value: given.value + by });
    }
  }
  return moved;
}

function structsAt({ fields }: ThriftStruct, id: number): ThriftStruct[] {
  const list = fields.get(id)?.value;
  return typeof list === "object" && "elements" in list ? list.elements.filter(isStruct) : [];
}

function numberAt({ fields }: ThriftStruct, id: number): bigint {
  const value = fields.get(id)?.value;
  return typeof value === "bigint" ? value : 0n;
}

function isStruct(value: unknown): value is ThriftStruct {
  return typeof value === "object" && value !== null && "fields" in value;
}
