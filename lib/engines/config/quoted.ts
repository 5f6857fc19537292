/** A user's text in a message. */

const shownCharsMax = 60;

/** In quotes, cut to a readable length, without what could drive a terminal. */
export function quoted(text: string): string {
  const cut = text.slice(0, shownCharsMax).replaceAll(/[^ -~]/g, "?");
  return `"${cut}${text.length > shownCharsMax ? "…" : ""}"`;
}
