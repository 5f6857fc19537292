/**
 * Makes long foreign text, which comes in pieces, harmless for a terminal or a spreadsheet (foreign-text.ts).
 *
 * Most pieces are harmless and pass as bytes. From the first other piece on, all text is handled line by line.
 */
import { csvLines, printed } from "./foreign-text.ts";

const surelyPlain = /^[\n -~]*$/;
/** A cell that may be a formula. */
const formula = /(^|[,\n"])["']?[=+\-@]/;

export async function* safePieces(
  pieces: AsyncIterable<Uint8Array>,
  isCsv: boolean,
): AsyncGenerator<Uint8Array, void, undefined> {
  const decoder = new TextDecoder();
  let rest: string | null = null;
  for await (const piece of pieces) {
    if (rest === null && isHarmless(piece, isCsv)) {
      yield piece;
      continue;
    }
    const text: string = (rest ?? "") + decoder.decode(piece, { stream: true });
    const end = text.lastIndexOf("\n") + 1;
    rest = text.slice(end);
    if (end > 0) {
      yield Buffer.from(safeText(text.slice(0, end), isCsv));
    }
  }
  if (rest !== null && rest !== "") {
    yield Buffer.from(safeText(rest, isCsv));
  }
}

/** Whole lines of CSV. */
export function safeCsv(lines: Uint8Array): Uint8Array {
  return isHarmless(lines, true) ? lines : Buffer.from(csvLines(new TextDecoder().decode(lines)));
}

function isHarmless(piece: Uint8Array, isCsv: boolean): boolean {
  const text = Buffer.from(piece.buffer, piece.byteOffset, piece.length).toString("latin1");
  return surelyPlain.test(text) && !(isCsv && formula.test(text));
}

function safeText(text: string, isCsv: boolean): string {
  return isCsv ? csvLines(text) : printed(text);
}
