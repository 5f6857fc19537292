/** Text files by lines, with their numbers for errors. */
import { type Prefix, parsePrefix } from "../../../net/ip/prefix.ts";
import { DataFileError } from "../data-file-error.ts";

export interface Line {
  readonly text: string;
  /** From 1. */
  readonly number: number;
}

/** A line of IPinfo or PeeringDB has less than 2 kB; more is another kind of file. */
const lineCharsMax = 1024 * 1024;

/** Lines without their ends, LF or CRLF; empty ones and those that begin with `comment` are left out. */
export async function* lines(chunks: AsyncIterable<Uint8Array>, comment = "#"): AsyncGenerator<Line> {
  const decoder = new TextDecoder();
  let rest = "";
  let number = 0;
  for await (const chunk of chunks) {
    const texts = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = texts.pop() ?? "";
    if (rest.length > lineCharsMax) {
      throw new DataFileError(`line ${number + texts.length + 1}`, `longer than ${lineCharsMax} characters`);
    }
    for (const text of texts) {
      number++;
      yield* shown(text, number, comment);
    }
  }
  yield* shown(rest + decoder.decode(), number + 1, comment);
}

function* shown(text: string, number: number, comment: string): Generator<Line> {
  const trimmed = text.trim();
  if (trimmed !== "" && !trimmed.startsWith(comment)) {
    yield { text: trimmed, number };
  }
}

/** @throws DataFileError that names the line */
export function prefixAt(text: string, line: Line): Prefix {
  const prefix = parsePrefix(text.trim());
  if (prefix === null) {
    throw new DataFileError(`line ${line.number}`, `"${text.slice(0, 60)}" is not a prefix`);
  }
  return prefix;
}

/** The error that a line cannot be read. */
export function badLine(line: Line, reason: string): DataFileError {
  return new DataFileError(`line ${line.number}`, reason);
}
