/** Text as a terminal shows it: some letters take two columns, colours take none. */

/** ASCII without control characters, which most text is: each letter takes one column. */
export const surelyPlain = /^[ -~]*$/;

/** Columns that this text takes. */
export function columnsOf(text: string): number {
  return surelyPlain.test(text) ? text.length : Bun.stringWidth(text);
}

/** Pads text with spaces, behind or before it, to a number of columns; longer text stays as it is. */
export function padded(text: string, columns: number, side: "left" | "right" = "right"): string {
  const missing = columns - columnsOf(text);
  if (missing <= 0) {
    return text;
  }
  return side === "left" ? " ".repeat(missing) + text : text + " ".repeat(missing);
}
