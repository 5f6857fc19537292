/** The first of many in a message: `a, b and 3 more`. */
export function listed(texts: readonly string[], shownMax: number): string {
  const more = texts.length > shownMax ? ` and ${texts.length - shownMax} more` : "";
  return `${texts.slice(0, shownMax).join(", ")}${more}`;
}
