/**
 * Makes long foreign text, which comes in pieces, harmless for a terminal or a spreadsheet (foreign-text.ts).
 *
 * Most pieces are harmless and pass as bytes. From the first other piece on, all text is handled line by line.
 */
import { csvLines, printed } from "./foreign-text.ts";

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
  // A letter that is cut off is a letter too.
  const last = (rest ?? "") + decoder.decode();
  if (last !== "") {
    yield Buffer.from(safeText(last, isCsv));
  }
}

/** Whole lines of CSV. */
export function safeCsv(lines: Uint8Array): Uint8Array {
  return isHarmless(lines, true) ? lines : Buffer.from(csvLines(new TextDecoder().decode(lines)));
}

function isHarmless(piece: Uint8Array, isCsv: boolean): boolean {
  return (
    isPlain(piece) &&
    !(isCsv && formula.test(Buffer.from(piece.buffer, piece.byteOffset, piece.length).toString("latin1")))
  );
}

/**
 * Whether it has nothing but line ends and printable ASCII. Four bytes at a time: gigabytes of results pass here, and a
 * pattern wants them as text first. With 1 added, or 32 taken away, a byte has its top bit
 * set when it was above 126 or below 32: up to the first such byte, nothing carries or borrows.
 */
function isPlain(piece: Uint8Array): boolean {
  const aligned = -piece.byteOffset & 3;
  if (piece.length < aligned) {
    return areBytesPlain(piece, 0, piece.length);
  }
  const words = (piece.length - aligned) >> 2;
  const wordsAt = new Uint32Array(piece.buffer, piece.byteOffset + aligned, words);
  for (let i = 0; i < words; i++) {
    const word = wordsAt[i] ?? 0;
    if ((((word + 0x01010101) | (word - 0x20202020)) & 0x80808080) !== 0) {
      const at = aligned + 4 * i;
      if (!areBytesPlain(piece, at, at + 4)) {
        return false;
      }
    }
  }
  return areBytesPlain(piece, 0, aligned) && areBytesPlain(piece, aligned + 4 * words, piece.length);
}

function areBytesPlain(piece: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) {
    const byte = piece[at] ?? 0;
    if (byte !== 0x0a && (byte < 0x20 || byte > 0x7e)) {
      return false;
    }
  }
  return true;
}

function safeText(text: string, isCsv: boolean): string {
  return isCsv ? csvLines(text) : printed(text);
}
