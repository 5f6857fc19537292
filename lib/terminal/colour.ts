/** Colour for terminals; the identity elsewhere, and where NO_COLOR is set (no-color.org). */
export interface Palette {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly good: (text: string) => string;
  readonly bad: (text: string) => string;
}

const plain: Palette = { bold: same, dim: same, good: same, bad: same };
const colourful: Palette = { bold: code(1), dim: code(2), good: code(32), bad: code(31) };

export function paletteFor(terminal: boolean, noColor: string | undefined): Palette {
  return terminal && (noColor === undefined || noColor === "") ? colourful : plain;
}

function code(number: number): (text: string) => string {
  return (text) => `\x1b[${number}m${text}\x1b[0m`;
}

function same(text: string): string {
  return text;
}
