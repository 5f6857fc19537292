/** Makes foreign text harmless: printable ASCII on one line, of a limited length. */

const foreign = /[^ -~]/g;

/** Everything that is not printable ASCII, line breaks above all, becomes `?`; what is too long is cut. */
export function printable(text: string, charsMax: number): string {
  return text.slice(0, charsMax).replaceAll(foreign, "?");
}
