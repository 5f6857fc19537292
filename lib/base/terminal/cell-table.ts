/**
 * A table from lines of tab-separated cells, a page at a time, in constant memory: columns are as wide as their widest
 * cell so far.
 *
 * Cells are foreign text, in which `\t`, `\n` and `\\` stand for a tab, a line end and a backslash, as in ClickHouse's
 * TabSeparated. Pages of plain ASCII, which most are, are padded as bytes: seven times as fast as text.
 */
import { printed, visible } from "./foreign-text.ts";
import { lineEndsIn } from "./line-ends.ts";
import { columnsOf, padded } from "./text.ts";

interface CellColumn {
  readonly head: string;
  readonly align: "left" | "right";
  /** Characters after which a longer cell is cut. */
  readonly lettersMax?: number;
}

/** Widest column, in characters: a longer cell overflows, so that one cell does not widen all lines. */
const widthMax = 256;

/**
 * A whole number, not Infinity: offsets computed with Infinity make the loops over bytes several times as
 * slow.
 */
const noLettersMax = 1 << 30;

const tab = 9;
const newline = 10;
const space = 32;
const backslash = 92;

export class CellTable {
  readonly #columns: readonly CellColumn[];
  readonly #widths: number[];
  /** Null once it is printed. */
  #head: ((line: string) => string) | null;

  /** `dim` is the style of the head. */
  constructor(columns: readonly CellColumn[], dim: (line: string) => string) {
    this.#columns = columns;
    this.#widths = columns.map(({ head }) => columnsOf(head));
    this.#head = dim;
  }

  /**
   * Accepts whole lines; returns text safe for a terminal, or null if a line has another number of cells.
   */
  draw(lines: Uint8Array): Uint8Array | null {
    const bytes = new Uint8Array(lines.buffer, lines.byteOffset, lines.length);
    const longest = areCellsPlain(bytes) ? this.#measured(bytes) : widthMax + 1;
    const drawn = longest > widthMax ? this.#drawnText(bytes) : longest < 0 ? null : this.#drawnBytes(bytes);
    const head = this.#head?.(this.#line(this.#columns.map((column) => column.head)));
    if (drawn === null || head === undefined) {
      return drawn;
    }
    this.#head = null;
    return Buffer.concat([Buffer.from(printed(`${head}\n`)), drawn]);
  }

  /** Widens the columns; returns the longest cell, or -1 if a line has another number of cells. */
  #measured(bytes: Uint8Array): number {
    let longest = 0;
    let column = 0;
    let start = 0;
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at];
      if (byte !== tab && byte !== newline) {
        continue;
      }
      longest = Math.max(longest, at - start);
      this.#widen(column, Math.min(at - start, this.#lettersMax(column)));
      column++;
      start = at + 1;
      if (byte === newline) {
        if (column !== this.#columns.length) {
          return -1;
        }
        column = 0;
      }
    }
    return longest;
  }

  #lettersMax(column: number): number {
    return this.#columns[column]?.lettersMax ?? noLettersMax;
  }

  #widen(column: number, columns: number): void {
    this.#widths[column] = Math.max(this.#widths[column] ?? 0, Math.min(widthMax, columns));
  }

  /** Destructuring assignments would make this loop five times as slow. */
  #drawnBytes(bytes: Uint8Array): Uint8Array {
    const lineMax = this.#widths.reduce((sum, width) => sum + width + 2, 0);
    const drawn = new Uint8Array(lineEndsIn(bytes) * lineMax).fill(space);
    const isRight = this.#columns.map(({ align }) => align === "right");
    const lettersMax = this.#columns.map((_, i) => this.#lettersMax(i));
    let column = 0;
    let start = 0;
    let left = 0;
    let end = 0;
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at];
      if (byte !== tab && byte !== newline) {
        continue;
      }
      const width = this.#widths[column] ?? 0;
      const shownEnd = Math.min(at, start + (lettersMax[column] ?? 0));
      let to = left + (isRight[column] === true ? width - (shownEnd - start) : 0);
      for (let from = start; from < shownEnd; from++) {
        drawn[to++] = bytes[from] ?? space;
      }
      // No spaces after the last cell with text.
      end = at > start ? to : end;
      column++;
      start = at + 1;
      left += width + 2;
      if (byte === newline) {
        drawn[end++] = newline;
        column = 0;
        left = end;
      }
    }
    return drawn.subarray(0, end);
  }

  #drawnText(bytes: Uint8Array): Uint8Array | null {
    const lines = new TextDecoder().decode(bytes).split("\n").slice(0, -1);
    const rows = lines.map((line) =>
      line.split("\t").map((cell, i) => visible(unescaped(cell).slice(0, this.#lettersMax(i)))),
    );
    for (const cells of rows) {
      if (cells.length !== this.#columns.length) {
        return null;
      }
      cells.forEach((cell, i) => {
        this.#widen(i, columnsOf(cell));
      });
    }
    return Buffer.from(rows.map((cells) => `${this.#line(cells)}\n`).join(""));
  }

  #line(cells: readonly string[]): string {
    const sides = cells.map((cell, i) =>
      // Right-aligned: spaces on the left.
      padded(cell, this.#widths[i] ?? 0, this.#columns[i]?.align === "right" ? "left" : "right"),
    );
    return sides.join("  ").trimEnd();
  }
}

/** Printable ASCII without a backslash, tabs and line ends. */
function areCellsPlain(bytes: Uint8Array): boolean {
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if ((byte < space && byte !== tab && byte !== newline) || byte > 0x7e || byte === backslash) {
      return false;
    }
  }
  return true;
}

const meant: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", 0: "\0" };

function unescaped(cell: string): string {
  return cell.replace(/\\(.)/gs, (_, letter: string) => meant[letter] ?? letter);
}
