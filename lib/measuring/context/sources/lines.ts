/** Text files by lines: one that cannot be read is skipped and counted, with the place of the first. */

import { upToCut } from "../../../base/list/cut-short.ts";
import { type Prefix, parsePrefix } from "../../../net/ip/prefix.ts";
import type { ContextBuilder } from "../context-builder.ts";
import { DataFileError } from "../data-file-error.ts";

export interface Line {
  readonly text: string;
  /** From 1. */
  readonly number: number;
}

interface LineReader {
  readonly builder: ContextBuilder;
  /** Lines that begin with it are left out; `#`. */
  readonly comment?: string;
  /** Returns false for a line without a row, as a head; throws BadLine. */
  readonly take: (line: Line) => boolean;
}

/** A line of IPinfo or PeeringDB has less than 2 kB. */
const lineCharsMax = 1024 * 1024;

/** A line, or item of a list, that cannot be read. */
export class BadLine extends DataFileError {
  /**
   * @param reason from a small set: each is counted by itself
   * @param detail what is wrong with this one
   */
  constructor(
    readonly place: string,
    readonly reason: string,
    readonly detail: string,
  ) {
    super(place, detail);
  }
}

/**
 * Reads the lines of a file, without their ends, LF or CRLF; empty ones and comments are left out.
 *
 * @returns how many had a row
 * @throws BadLine where not one line could be read: the file is of another kind
 */
export async function readLines(
  chunks: AsyncIterable<Uint8Array>,
  { builder, comment = "#", take }: LineReader,
): Promise<number> {
  const rows = new Rows(builder);
  for await (const line of lines(chunks, rows)) {
    if (!line.text.startsWith(comment)) {
      rows.take(() => take(line));
    }
  }
  return rows.taken();
}

/** Counts the accepted rows, and skips unreadable ones. */
export class Rows {
  readonly #builder: ContextBuilder;
  #count = 0;
  #firstBad: BadLine | null = null;

  constructor(builder: ContextBuilder) {
    this.#builder = builder;
  }

  /** @param row false = there was none; BadLine is counted */
  take(row: () => boolean): void {
    try {
      this.#count += row() ? 1 : 0;
    } catch (cause) {
      if (!(cause instanceof BadLine)) {
        throw cause;
      }
      this.passOver(cause);
    }
  }

  passOver(bad: BadLine): void {
    const { place, reason, detail } = bad;
    this.#firstBad ??= bad;
    this.#builder.passOver({ reason, place, detail, isDamage: true });
  }

  /** @throws the first BadLine where no row could be read, but something else was there */
  taken(): number {
    if (this.#count === 0 && this.#firstBad !== null) {
      throw this.#firstBad;
    }
    return this.#count;
  }
}

async function* lines(chunks: AsyncIterable<Uint8Array>, rows: Rows): AsyncGenerator<Line> {
  const decoder = new TextDecoder();
  let [rest, number, isTooLong] = ["", 0, false];
  let cut: string | null = null;
  for await (const chunk of upToCut(chunks, (_, reason) => (cut = reason))) {
    const texts = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = texts.pop() ?? "";
    for (const text of texts) {
      number++;
      yield* isTooLong ? [] : shown(text, number);
      isTooLong = false;
    }
    if (rest.length > lineCharsMax) {
      if (!isTooLong) {
        const detail = `it has more than ${lineCharsMax} characters`;
        rows.passOver(new BadLine(`line ${number + 1}`, "line that is too long", detail));
      }
      [rest, isTooLong] = ["", true];
    }
  }
  if (cut !== null) {
    rows.passOver(new BadLine(`line ${number + 1}`, "rest of a file that is cut or damaged", cut));
  } else if (!isTooLong) {
    yield* shown(rest + decoder.decode(), number + 1);
  }
}

function* shown(text: string, number: number): Generator<Line> {
  const trimmed = text.trim();
  if (trimmed !== "") {
    yield { text: trimmed, number };
  }
}

/** @throws BadLine */
export function prefixAt(text: string, line: Line): Prefix {
  const prefix = parsePrefix(text.trim());
  if (prefix === null) {
    throw badLine(line, "line without a prefix that can be read", `"${text.slice(0, 60)}" is not a prefix`);
  }
  return prefix;
}

/** The error that a line cannot be read. */
export function badLine(line: Line, reason: string, detail: string): BadLine {
  return new BadLine(`line ${line.number}`, reason, detail);
}
