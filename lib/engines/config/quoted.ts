/** A user's text in a message. */
import { withoutPassword } from "../../base/failure/without-password.ts";

const shownCharsMax = 60;

/** In quotes, cut to a readable length, without a password, and without what could drive a terminal. */
export function quoted(text: string): string {
  const known = withoutPassword(text);
  const cut = known.slice(0, shownCharsMax).replaceAll(/[^ -~]/g, "?");
  return `"${cut}${known.length > shownCharsMax ? "…" : ""}"`;
}
