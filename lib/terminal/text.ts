/** Text as a terminal shows it: some letters take two columns, colours take none. */

/** ASCII without control characters, which most text is: it is shown as it stands, a column for each letter. */
export const surelyPlain = /^[ -~]*$/;

/** Columns that this text takes. */
export function columnsOf(text: string): number {
  return surelyPlain.test(text) ? text.length : Bun.stringWidth(text);
}

/** This text with spaces behind it, or before it, up to a number of columns; longer text stays as it is. */
export function padded(text: string, columns: number, side: "left" | "right" = "right"): string {
  const missing = columns - columnsOf(text);
  if (missing <= 0) {
    return text;
  }
  return side === "left" ? " ".repeat(missing) + text : text + " ".repeat(missing);
}
