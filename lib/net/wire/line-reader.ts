/**
 * Cuts a stream of bytes, in arbitrary chunks, into lines worth reading, in constant memory.
 *
 * Lines end with LF or CR LF, the last one with or without. A byte order mark at the start is ignored, and so are
 * spaces and tabs at either end of a line. Blank lines and lines that start with `#` are skipped, but counted.
 */
import { lineBytesMax } from "./limits.ts";

interface LineHandlers {
  /** `text` is valid only until the call returns; `line` counts from 1. */
  readonly onLine: (text: Uint8Array, line: number) => void;
  /** A line of more bytes than the reader keeps. */
  readonly onLong: (bytes: number, line: number) => void;
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const hash = 0x23;
const byteOrderMark = [0xef, 0xbb, 0xbf];

/** `push` each chunk, then `finish` once. Handlers are called from within, before the call returns. */
export class LineReader {
  readonly #handlers: LineHandlers;
  /** Lines ended so far. */
  #lines = 0;
  /** The start of an unfinished line; bytes beyond the limit are only counted. */
  readonly #carry: Uint8Array;
  #carryBytes = 0;

  /** `bytesMax`: of one line, without its end. */
  constructor(handlers: LineHandlers, bytesMax = lineBytesMax) {
    this.#handlers = handlers;
    this.#carry = new Uint8Array(bytesMax);
  }

  push(chunk: Uint8Array): void {
    let start = 0;
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, start)) {
      // No object for each line: a few MB may be millions of blank lines.
      if (this.#carryBytes === 0 && isSkipped(chunk, start, end)) {
        this.#lines++;
      } else {
        this.#endLine(chunk.subarray(start, end));
      }
      start = end + 1;
    }
    this.#keep(chunk.subarray(start));
  }

  /** Whether it is at the start of a line. */
  get isAtStart(): boolean {
    return this.#carryBytes === 0;
  }

  /** Counts a line that the caller has read itself. */
  skipLine(): void {
    this.#lines++;
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
      this.#hand(rest, rest.length);
      return;
    }
    this.#keep(rest);
    const bytes = this.#carryBytes;
    this.#carryBytes = 0;
    this.#hand(this.#carry.subarray(0, bytes), bytes);
  }

  /** `bytes` is the length of the whole line, of which `line` may be the start. */
  #hand(line: Uint8Array, bytes: number): void {
    const text = this.#content(line);
    if (text.length === 0 || text[0] === hash) {
      return;
    }
    if (bytes > this.#carry.length) {
      this.#handlers.onLong(bytes, this.#lines);
    } else {
      this.#handlers.onLine(text, this.#lines);
    }
  }

  #content(line: Uint8Array): Uint8Array {
    const end = line.at(-1) === carriageReturn ? line.length - 1 : line.length;
    const marked = this.#lines === 1 && byteOrderMark.every((byte, i) => line[i] === byte);
    return trimmed(line, marked ? byteOrderMark.length : 0, end);
  }
}

/** The bytes without spaces and tabs at either end. */
export function trimmed(bytes: Uint8Array, start: number, end: number): Uint8Array {
  let first = start;
  let last = end;
  while (first < last && isBlank(bytes[first])) {
    first++;
  }
  while (last > first && isBlank(bytes[last - 1])) {
    last--;
  }
  return bytes.subarray(first, last);
}

/** A blank line or a comment, from `start` to its line feed at `end`. */
export function isSkipped(bytes: Uint8Array, start: number, end: number): boolean {
  let at = start;
  while (at < end && isBlank(bytes[at])) {
    at++;
  }
  return at === end || bytes[at] === hash || (at === end - 1 && bytes[at] === carriageReturn);
}

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09;
}
