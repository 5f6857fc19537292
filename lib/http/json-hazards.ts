/** What no body may hold, whatever its schema: names that JavaScript gives a meaning, and NUL. */
import type { FieldProblem } from "./problem.ts";

/** As members they would change, or be taken for, what every object has; no route has such a member. */
const traps: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);
/** Few bodies hold these letters, or an escape that could be any letter: only those are looked through. */
const suspect = /__proto__|constructor|prototype|\\u/;

/** The first of them in the parsed text, at any depth; null = none. Nesting is bounded before (json-bounds.ts). */
export function hazardIn(text: string, value: unknown): FieldProblem | null {
  return suspect.test(text) ? find("", value) : null;
}

function find(path: string, value: unknown): FieldProblem | null {
  if (typeof value === "string") {
    // No database of ours holds it.
    return value.includes("\0") ? { path, reason: "must not hold NUL" } : null;
  }
  if (typeof value !== "object" || value === null) {
    return null;
  }
  const isList = Array.isArray(value);
  for (const [key, inner] of isList ? value.entries() : Object.entries(value)) {
    const name = String(key);
    if (!isList && (traps.has(name) || name.includes("\0"))) {
      return { path: name.replaceAll("\0", "\\0"), reason: "is not a name that a member may have" };
    }
    const found = find(name, inner);
    if (found !== null) {
      return found;
    }
  }
  return null;
}
