/** The size of a record, and the refusal of one that is too large; the same for both engines. */
import { BrokerError, type OutgoingRecord, recordBytesMax } from "./broker.ts";

/** Bytes of key, value, and names and values of the headers, in UTF-8. */
export function recordBytes(record: OutgoingRecord): number {
  let bytes = Buffer.byteLength(record.key) + record.value.byteLength;
  for (const name in record.headers) {
    bytes += Buffer.byteLength(name) + Buffer.byteLength(record.headers[name] ?? "");
  }
  return bytes;
}

/** Bytes of them all. Throws BrokerError `recordTooLarge` for the first record over the limit. */
export function checkRecords(topic: string, records: readonly OutgoingRecord[]): number {
  let sum = 0;
  for (const [index, record] of records.entries()) {
    const bytes = recordBytes(record);
    if (bytes > recordBytesMax) {
      throw new BrokerError(
        "recordTooLarge",
        `Cannot publish record ${index} of ${records.length} to "${topic}": it has ${bytes} bytes with key and ` +
          `headers, more than ${recordBytesMax}`,
      );
    }
    sum += bytes;
  }
  return sum;
}
