/** Text widths on a terminal: some characters take two columns, colours none. */

/** ASCII without control characters, which most text is: each character takes one column. */
export const surelyPlain = /^[ -~]*$/;

/** Columns that this text takes. */
export function columnsOf(text: string): number {
  return surelyPlain.test(text) ? text.length : Bun.stringWidth(text);
}

/** Pads text with spaces, after or before it, to a number of columns; longer text is unchanged. */
export function padded(text: string, columns: number, side: "left" | "right" = "right"): string {
  const missing = columns - columnsOf(text);
  if (missing <= 0) {
    return text;
  }
  return side === "left" ? " ".repeat(missing) + text : text + " ".repeat(missing);
}
