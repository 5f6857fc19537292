/** Names of members that JavaScript gives a meaning: they would change, or be taken for, what every object has. */
const traps: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);
/** Few bodies hold these letters, or an escape that could be any letter: only those are looked through. */
const suspect = /__proto__|constructor|prototype|\\u/;

/** The first such name of a member of the parsed text, at any depth; null = none. No route has such a member. */
export function trapName(text: string, value: unknown): string | null {
  return suspect.test(text) ? find(value) : null;
}

/** Nesting is bounded before (json-bounds.ts). */
function find(value: unknown): string | null {
  if (typeof value !== "object" || value === null) {
    return null;
  }
  const isList = Array.isArray(value);
  for (const [name, inner] of isList ? value.entries() : Object.entries(value)) {
    const found = !isList && traps.has(String(name)) ? String(name) : find(inner);
    if (found !== null) {
      return found;
    }
  }
  return null;
}
