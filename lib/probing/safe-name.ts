/** Names that mean something else where they are used: as a part of a path or URL, as a member of an object. */
const otherMeanings: ReadonlySet<string> = new Set([".", "..", "__proto__", "constructor", "prototype"]);

/** Whether agents, instances and what else is chosen from outside may be called so. */
export function isSafeName(name: string): boolean {
  return !otherMeanings.has(name);
}
