/**
 * Cuts an MRT file into records (RFC 6396 s.2), whatever chunks it arrives in.
 *
 * | offset | bytes | field                                     |
 * |--------|-------|-------------------------------------------|
 * | 0      | 4     | time, seconds since 1970                  |
 * | 4      | 2     | type; 13 = TABLE_DUMP_V2                  |
 * | 6      | 2     | subtype                                   |
 * | 8      | 4     | length of what follows                    |
 *
 * Integers are big endian.
 */
import { DataFileError } from "../data-file-error.ts";

export interface MrtRecord {
  readonly timeSec: number;
  readonly type: number;
  readonly subtype: number;
  /** Valid until the next record is read. */
  readonly body: Uint8Array;
  /** Position of the header in the unpacked file. */
  readonly byteOffset: number;
}

const headerBytes = 12;

/** The peer index of a large collector has 60 kB, a prefix seen by 1,000 peers 200 kB: more is not a record. */
const bodyBytesMax = 16 * 1024 * 1024;

/** Throws a DataFileError that names the byte on a length above 16 MiB and on a file that ends within a record. */
export async function* mrtRecords(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<MrtRecord> {
  let rest: Uint8Array = new Uint8Array(0);
  let byteOffset = 0;
  for await (const chunk of chunks) {
    const bytes = rest.length === 0 ? chunk : joined(rest, chunk);
    let at = 0;
    for (
      let size = recordBytes(bytes, at, byteOffset);
      size !== null;
      size = recordBytes(bytes, at, byteOffset)
    ) {
      yield recordAt(bytes.subarray(at, at + size), byteOffset);
      at += size;
      byteOffset += size;
    }
    rest = bytes.slice(at);
  }
  if (rest.length > 0) {
    throw new DataFileError(`byte ${byteOffset}`, "the file ends within a record: is it whole?");
  }
}

/** Bytes of the record at `at`, header included; null while it is incomplete. */
function recordBytes(bytes: Uint8Array, at: number, byteOffset: number): number | null {
  if (bytes.length - at < headerBytes) {
    return null;
  }
  const length = new DataView(bytes.buffer, bytes.byteOffset + at).getUint32(8);
  if (length > bodyBytesMax) {
    const reason = `a record of ${length} bytes is longer than any in an MRT file: is this one?`;
    throw new DataFileError(`byte ${byteOffset}`, reason);
  }
  return bytes.length - at < headerBytes + length ? null : headerBytes + length;
}

function recordAt(bytes: Uint8Array, byteOffset: number): MrtRecord {
  const header = new DataView(bytes.buffer, bytes.byteOffset, headerBytes);
  return {
    timeSec: header.getUint32(0),
    type: header.getUint16(4),
    subtype: header.getUint16(6),
    body: bytes.subarray(headerBytes),
    byteOffset,
  };
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
