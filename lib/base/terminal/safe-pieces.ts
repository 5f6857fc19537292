/**
 * Makes long foreign text, arriving in chunks, harmless for a terminal or a spreadsheet (foreign-text.ts).
 *
 * Most chunks are harmless and pass as bytes. From the first other chunk on, all text is handled line by line.
 */
import { csvLines, printed } from "./foreign-text.ts";

const [newline, apostrophe] = [0x0a, 0x27];
/** Classes of CSV bytes: 1 = a cell may begin after it, 2 = it begins a formula, 4 = not plain. */
const kinds = Uint8Array.from({ length: 256 }, (_, byte) => (isPlainByte(byte) ? 0 : 4));
for (const byte of [newline, apostrophe, ...Buffer.from(',"')]) {
  kinds[byte] = 1;
}
for (const byte of Buffer.from("=+-@")) {
  kinds[byte] = 2;
}

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
  // A truncated character counts as a character, too.
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
  return isCsv ? areCellsHarmless(piece) : isPlain(piece);
}

/**
 * A piece may begin with a cell. A regular expression takes four times as long, as it needs the bytes as
 * text.
 */
function areCellsHarmless(piece: Uint8Array): boolean {
  let before = 1;
  for (let at = 0; at < piece.length; at++) {
    const kind = kinds[piece[at] ?? 0] ?? 0;
    if (kind > 1 && (kind === 4 || before === 1)) {
      return false;
    }
    before = kind;
  }
  return true;
}

/**
 * Whether it has nothing but line ends and printable ASCII. Four bytes at a time: gigabytes of results pass here, and a
 * regular expression would need them as text first. With 1 added, or 32 subtracted, a byte has its top bit
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
    if (!isPlainByte(piece[at] ?? 0)) {
      return false;
    }
  }
  return true;
}

function isPlainByte(byte: number): boolean {
  return byte === newline || (byte >= 0x20 && byte <= 0x7e);
}

function safeText(text: string, isCsv: boolean): string {
  return isCsv ? csvLines(text) : printed(text);
}
