/** Makes foreign text harmless: printable ASCII on one line, of a limited length. */

const foreign = /[^ -~]/g;

/** Replaces each character that is not printable ASCII (such as a line break) by `?`; longer text is cut. */
export function printable(text: string, charsMax: number): string {
  return text.slice(0, charsMax).replaceAll(foreign, "?");
}
