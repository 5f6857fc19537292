/**
 * Whether a command printed what its page shows.
 *
 * Each line that is shown must be found, in order; other lines may lie between. Words are compared, not the space
 * between them. `…` stands for anything, or nothing. A word with a digit stands for any word with a digit, as times,
 * ports and addresses differ from run to run; in a block marked `exact` only for itself.
 */

/** The first line that was not printed; null when all were. */
export function missingLine(shown: string, printed: string, isExact: boolean): string | null {
  const output = Bun.stripANSI(printed).split("\n");
  let from = 0;
  for (const line of shown.split("\n").filter((text) => text.trim() !== "")) {
    const pattern = linePattern(line, isExact);
    const at = output.findIndex((text, index) => index >= from && pattern.test(text));
    if (at < 0) {
      return line;
    }
    from = at + 1;
  }
  return null;
}

function linePattern(line: string, isExact: boolean): RegExp {
  let pattern = "";
  let isOpen = false;
  for (const word of line.trim().split(/\s+/)) {
    if (word !== "…") {
      const between = pattern === "" ? "" : "\\s+";
      pattern += (isOpen ? `${pattern === "" ? "" : "\\s"}(?:.*\\s)?` : between) + wordPattern(word, isExact);
    }
    isOpen = word === "…";
  }
  return new RegExp(`^\\s*${pattern}${isOpen ? "(?:\\s.*)?" : ""}\\s*$`);
}

function wordPattern(word: string, isExact: boolean): string {
  const parts = word.split("…").map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return !isExact && /\d/.test(word) && parts.length === 1 ? "\\S*\\d\\S*" : parts.join("\\S*");
}
