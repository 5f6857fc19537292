/** What is wrong with a line of a file, and where. */
import { lineBytesMax } from "./limits.ts";
import type { LineReason } from "./probe-line.ts";

/** A line that is not a probe. */
export interface LineError {
  /** As given to the reader: a file name, or "standard input". */
  readonly source: string;
  /** From 1. */
  readonly line: number;
  readonly reason: LineReason;
  readonly message: string;
}

/** As editors and compilers write it: `probes.csv:12: TTL "0" is not a number from 1 to 255`. */
export function formatLineError(error: LineError): string {
  return `${error.source}:${error.line}: ${error.message}`;
}

/** The message for a line that `LineReader` did not keep. */
export function tooLongMessage(bytes: number, bytesMax = lineBytesMax): string {
  return `Line has ${bytes} bytes, more than ${bytesMax}`;
}
