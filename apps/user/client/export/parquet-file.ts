/** Counts the rows of a Parquet file on disk by its footer: "PAR1", data, footer, its length (u32), "PAR1". */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { parquetRows } from "../../../../lib/measuring/formats/parquet-join.ts";
import { footerBytesMax } from "../limits.ts";

const magicBytes = 4;
const tailBytes = 8;

/** Throws RangeError on another file, and the system's error. */
export function rowsOfParquetFile(path: string): number {
  const fd = openSync(path, "r");
  try {
    const { size } = fstatSync(fd);
    const tail = readAt(fd, size - tailBytes, tailBytes);
    const bytes = magicBytes + new DataView(tail.buffer).getUint32(0, true) + tailBytes;
    if (bytes > size || bytes > footerBytesMax) {
      throw new RangeError("it is not a Parquet file, or its end is damaged");
    }
    return parquetRows(readAt(fd, size - bytes, bytes));
  } finally {
    closeSync(fd);
  }
}

function readAt(fd: number, at: number, count: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(count);
  if (at < 0 || readSync(fd, bytes, 0, count, at) < count) {
    throw new RangeError("it is too short for a Parquet file");
  }
  return bytes;
}
