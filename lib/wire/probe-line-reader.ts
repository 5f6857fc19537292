/**
 * Reads probe lines from a stream of bytes that is cut anywhere, in constant memory however long it is.
 *
 * Blank lines and lines that start with `#` are skipped; lines end with LF or CR LF, the last one with or without;
 * a byte order mark at the start is ignored. What one line may hold: probe-line.ts.
 */
import type { Probe } from "../packet/probe.ts";
import { lineBytesMax } from "./limits.ts";
import { type LineReason, type LineResult, parseProbeLine, trimmed } from "./probe-line.ts";

/** A line that is no probe. */
export interface LineError {
  /** As given to the reader: a file name, or "standard input". */
  readonly source: string;
  /** From 1. */
  readonly line: number;
  readonly reason: LineReason;
  readonly message: string;
}

export interface LineHandlers {
  /** Called for each probe, in the order of the lines. */
  readonly onProbe: (probe: Probe, line: number) => void;
  /** Called for each bad line; reading goes on after it. */
  readonly onError: (error: LineError) => void;
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const hash = 0x23;
const byteOrderMark = [0xef, 0xbb, 0xbf];

/** As editors and compilers write it: `probes.csv:12: TTL "0" is not a number from 1 to 255`. */
export function formatLineError(error: LineError): string {
  return `${error.source}:${error.line}: ${error.message}`;
}

/** `push` each chunk, then `finish` once. Handlers are called from within, before the call returns. */
export class ProbeLineReader {
  readonly #source: string;
  readonly #handlers: LineHandlers;
  /** Lines ended so far. */
  #lines = 0;
  /** The start of a line whose end has not come yet; what goes beyond the limit is only counted. */
  readonly #carry = new Uint8Array(lineBytesMax);
  #carryBytes = 0;

  constructor(source: string, handlers: LineHandlers) {
    this.#source = source;
    this.#handlers = handlers;
  }

  push(chunk: Uint8Array): void {
    let start = 0;
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, start)) {
      this.#endLine(chunk.subarray(start, end));
      start = end + 1;
    }
    this.#keep(chunk.subarray(start));
  }

  finish(): void {
    if (this.#carryBytes > 0) {
      this.#endLine(new Uint8Array(0));
    }
  }

  #keep(part: Uint8Array): void {
    const room = this.#carry.length - this.#carryBytes;
    if (room > 0) {
      this.#carry.set(part.subarray(0, room), this.#carryBytes);
    }
    this.#carryBytes += part.length;
  }

  #endLine(rest: Uint8Array): void {
    this.#lines++;
    if (this.#carryBytes === 0) {
      this.#readLine(rest, rest.length);
      return;
    }
    this.#keep(rest);
    const bytes = this.#carryBytes;
    this.#carryBytes = 0;
    this.#readLine(this.#carry.subarray(0, bytes), bytes);
  }

  /** `bytes` is the length of the whole line, of which `line` may be the start. */
  #readLine(line: Uint8Array, bytes: number): void {
    const text = this.#content(line);
    if (text.length === 0 || text[0] === hash) {
      return;
    }
    const result: LineResult =
      bytes > lineBytesMax
        ? { ok: false, reason: "tooLong", message: `Line has ${bytes} bytes, more than ${lineBytesMax}` }
        : parseProbeLine(text);
    if (result.ok) {
      this.#handlers.onProbe(result.probe, this.#lines);
      return;
    }
    const { reason, message } = result;
    this.#handlers.onError({ source: this.#source, line: this.#lines, reason, message });
  }

  #content(line: Uint8Array): Uint8Array {
    const end = line.at(-1) === carriageReturn ? line.length - 1 : line.length;
    const marked = this.#lines === 1 && byteOrderMark.every((byte, i) => line[i] === byte);
    return trimmed(line, marked ? byteOrderMark.length : 0, end);
  }
}
