/**
 * Colour for terminals; the identity elsewhere, and where NO_COLOR is set (no-color.org).
 *
 * A colour code carries a random number drawn at the process's start, `ESC [ 31 ; KEY m`. Only such codes reach a
 * terminal, without their key (foreign-text.ts). So foreign text cannot set a colour, wherever it is inserted.
 */
export interface Palette {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly good: (text: string) => string;
  readonly bad: (text: string) => string;
}

/** 32 bits, secret to this process. */
const [key = 0] = crypto.getRandomValues(new Uint32Array(1));
/** Matches a colour code of this process; its group is the number of the colour. */
export const ownColour = `\\x1b\\[(\\d+);${key}m`;

const plain: Palette = { bold: same, dim: same, good: same, bad: same };
const colourful: Palette = { bold: code(1), dim: code(2), good: code(32), bad: code(31) };

export function paletteFor(terminal: boolean, noColor: string | undefined): Palette {
  return terminal && (noColor === undefined || noColor === "") ? colourful : plain;
}

function code(number: number): (text: string) => string {
  return (text) => `\x1b[${number};${key}m${text}\x1b[0;${key}m`;
}

function same(text: string): string {
  return text;
}
