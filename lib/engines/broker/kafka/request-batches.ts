/** Cuts records into requests that a broker takes. */
import type { OutgoingRecord } from "../broker.ts";
import { recordBytes } from "../record-size.ts";
import { recordOverheadBytes } from "./limits.ts";

/** Bytes of a record in a request, at most. */
export function wireBytes(record: OutgoingRecord): number {
  const headers = Object.keys(record.headers).length;
  return recordBytes(record) + recordOverheadBytes.record + headers * recordOverheadBytes.header;
}

/** Groups consecutive records, at most `bytesMax` each; a larger record is alone. */
export function* requestBatches(
  records: readonly OutgoingRecord[],
  bytesMax: number,
): Generator<OutgoingRecord[]> {
  let slice: OutgoingRecord[] = [];
  let bytes = 0;
  for (const record of records) {
    const size = wireBytes(record);
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
