/** How large a record is, and the refusal of one that is too large; alike for both engines. */
import { BrokerError, type OutgoingRecord, recordBytesMax } from "./broker.ts";

/** Bytes of key, value, and names and values of the headers, in UTF-8. */
export function recordBytes(record: OutgoingRecord): number {
  let bytes = Buffer.byteLength(record.key) + record.value.byteLength;
  for (const [name, value] of Object.entries(record.headers)) {
    bytes += Buffer.byteLength(name) + Buffer.byteLength(value);
  }
  return bytes;
}

/** Throws BrokerError `recordTooLarge` for the first record over the limit. */
export function checkRecords(topic: string, records: readonly OutgoingRecord[]): void {
  for (const [index, record] of records.entries()) {
    const bytes = recordBytes(record);
    if (bytes > recordBytesMax) {
      throw new BrokerError(
        "recordTooLarge",
        `Cannot publish record ${index} of ${records.length} to "${topic}": it has ${bytes} bytes with key and ` +
          `headers, more than ${recordBytesMax}`,
      );
    }
  }
}

/** Neighbours together, in order, at most `bytesMax` each; a record that is larger is alone. */
export function* slices(records: readonly OutgoingRecord[], bytesMax: number): Generator<OutgoingRecord[]> {
  let slice: OutgoingRecord[] = [];
  let bytes = 0;
  for (const record of records) {
    const size = recordBytes(record) + recordOverheadBytes;
    if (slice.length > 0 && bytes + size > bytesMax) {
      yield slice;
      [slice, bytes] = [[], 0];
    }
    slice.push(record);
    bytes += size;
  }
  if (slice.length > 0) {
    yield slice;
  }
}

/** What an engine adds to a record at most: lengths, offset, time. */
const recordOverheadBytes = 64;
