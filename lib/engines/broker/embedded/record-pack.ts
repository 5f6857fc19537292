/**
 * Consecutive small records, packed as one row of the log: a separate row costs more than such a record itself.
 *
 * A pack has the key and the headers of its first record. For each record:
 *
 *     u32 bytes of value | u8 changes | changes | value
 *
 * A change is a header that differs from the first record's: u8 its place among the names, u16 bytes of text, text.
 * Numbers are little endian. Records of one pack have one key, and headers of the same names in the same order.
 */
import type { OutgoingRecord } from "../broker.ts";

/** Bytes of a pack: retention deletes whole packs, and a reader that stops inside one reads it again. */
const packBytesMax = 65_535;
/** Bytes of a value that is worth packing. */
const smallBytesMax = 4096;
const headersMax = 255;
const recordHeadBytes = 5;
const changeHeadBytes = 3;
/** A character has three bytes at most. */
const characterBytesMax = 3;

interface Pack extends OutgoingRecord {
  readonly records: number;
}

export class RecordPacker {
  readonly #buffer = Buffer.allocUnsafeSlow(packBytesMax);
  readonly #view = new DataView(this.#buffer.buffer, this.#buffer.byteOffset);

  /** The records from `from` on that fit into one pack, at least one; `value` is valid until the next call. */
  pack(records: readonly OutgoingRecord[], from: number): Pack | null {
    const first = records[from];
    if (first === undefined) {
      return null;
    }
    const names = Object.keys(first.headers);
    let [end, at] = [from, 0];
    for (const canPack = isPackable(names); canPack && end < records.length; end++) {
      const record = records[end];
      const next = record === undefined ? null : this.#add(record, first, names, at);
      if (next === null) {
        break;
      }
      at = next;
    }
    return end - from < 2
      ? { ...first, records: 1 }
      : { ...first, value: this.#buffer.subarray(0, at), records: end - from };
  }

  /** Where the record ends; null when it does not belong to the pack, or does not fit. */
  #add(
    record: OutgoingRecord,
    first: OutgoingRecord,
    names: readonly string[],
    start: number,
  ): number | null {
    const { key, value, headers } = record;
    let roomBytes = packBytesMax - start - recordHeadBytes - value.length;
    if (key !== first.key || value.length > smallBytesMax || roomBytes < 0 || !hasNames(headers, names)) {
      return null;
    }
    let at = start + recordHeadBytes;
    let changes = 0;
    for (let i = 0; i < names.length; i++) {
      const name = names[i] ?? "";
      const text = headers[name] ?? "";
      if (text === first.headers[name]) {
        continue;
      }
      roomBytes -= changeHeadBytes + characterBytesMax * text.length;
      if (roomBytes < 0) {
        return null;
      }
      const bytes = this.#buffer.write(text, at + changeHeadBytes);
      this.#view.setUint8(at, i);
      this.#view.setUint16(at + 1, bytes, true);
      at += changeHeadBytes + bytes;
      changes++;
    }
    this.#view.setUint32(start, value.length, true);
    this.#view.setUint8(start + recordHeadBytes - 1, changes);
    this.#buffer.set(value, at);
    return at + value.length;
  }
}

/** Reads the records of a pack one after another. */
export class PackReader {
  readonly #first: Readonly<Record<string, string>>;
  readonly #names: readonly string[];
  readonly #bytes: Buffer;
  #at = 0;

  constructor(headers: Readonly<Record<string, string>>, value: Uint8Array) {
    this.#first = headers;
    this.#names = Object.keys(headers);
    this.#bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  }

  skip(): void {
    const bytes = this.#bytes.readUInt32LE(this.#at);
    const changes = this.#bytes[this.#at + recordHeadBytes - 1] ?? 0;
    this.#at += recordHeadBytes;
    for (let i = 0; i < changes; i++) {
      this.#at += changeHeadBytes + this.#bytes.readUInt16LE(this.#at + 1);
    }
    this.#at += bytes;
  }

  /** Throws RangeError after the last record. */
  next(): Pick<OutgoingRecord, "headers" | "value"> {
    const bytes = this.#bytes.readUInt32LE(this.#at);
    const changes = this.#bytes[this.#at + recordHeadBytes - 1] ?? 0;
    this.#at += recordHeadBytes;
    const headers = changes === 0 ? this.#first : { ...this.#first };
    for (let i = 0; i < changes; i++) {
      this.#change(headers);
    }
    const start = this.#at;
    this.#at += bytes;
    return { headers, value: new Uint8Array(this.#bytes.buffer, this.#bytes.byteOffset + start, bytes) };
  }

  #change(headers: Record<string, string>): void {
    const start = this.#at + changeHeadBytes;
    const end = start + this.#bytes.readUInt16LE(this.#at + 1);
    headers[this.#names[this.#bytes[this.#at] ?? 0] ?? ""] = this.#bytes.toString("utf8", start, end);
    this.#at = end;
  }
}

/** A header of this name could not be set again by assignment. */
function isPackable(names: readonly string[]): boolean {
  return names.length <= headersMax && !names.includes("__proto__");
}

function hasNames(headers: Readonly<Record<string, string>>, names: readonly string[]): boolean {
  let i = 0;
  for (const name in headers) {
    if (name !== names[i++]) {
      return false;
    }
  }
  return i === names.length;
}
