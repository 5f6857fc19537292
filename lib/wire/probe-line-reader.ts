/** Reads files of probe lines, however long, in constant memory: line-reader.ts cuts, probe-line.ts reads a line. */
import type { Probe } from "../packet/probe.ts";
import { lineBytesMax } from "./limits.ts";
import { LineReader } from "./line-reader.ts";
import { type LineReason, parseProbeLine } from "./probe-line.ts";

/** A line that is not a probe. */
export interface LineError {
  /** As given to the reader: a file name, or "standard input". */
  readonly source: string;
  /** From 1. */
  readonly line: number;
  readonly reason: LineReason;
  readonly message: string;
}

interface ProbeHandlers {
  /** Called for each probe, in the order of the lines. */
  readonly onProbe: (probe: Probe, line: number) => void;
  /** Called for each bad line; reading goes on after it. */
  readonly onError: (error: LineError) => void;
}

/** As editors and compilers write it: `probes.csv:12: TTL "0" is not a number from 1 to 255`. */
export function formatLineError(error: LineError): string {
  return `${error.source}:${error.line}: ${error.message}`;
}

/** `push` each chunk of the file, then `finish` once. Handlers are called from within, before the call returns. */
export class ProbeLineReader {
  readonly #lines: LineReader;

  constructor(source: string, { onProbe, onError }: ProbeHandlers) {
    this.#lines = new LineReader({
      onLine: (text, line) => {
        const result = parseProbeLine(text);
        if (result.ok) {
          onProbe(result.probe, line);
        } else {
          onError({ source, line, reason: result.reason, message: result.message });
        }
      },
      onLong: (bytes, line) => {
        onError({ source, line, reason: "tooLong", message: tooLongMessage(bytes) });
      },
    });
  }

  push(chunk: Uint8Array): void {
    this.#lines.push(chunk);
  }

  finish(): void {
    this.#lines.finish();
  }
}

/** The message for a line that `LineReader` did not keep. */
export function tooLongMessage(bytes: number, bytesMax = lineBytesMax): string {
  return `Line has ${bytes} bytes, more than ${bytesMax}`;
}
