/** Names with a special meaning in a path or URL, or as a member of an object. */
const otherMeanings: ReadonlySet<string> = new Set([".", "..", "__proto__", "constructor", "prototype"]);

/** Whether an agent, an instance or another thing named by a user may have this name. */
export function isSafeName(name: string): boolean {
  return !otherMeanings.has(name);
}
