/** A schema's complaint about a value, as words that follow the value's name: `must be a number, not "x"`. */
import type { BaseIssue } from "valibot";

/** Names of types in the written format: a section in YAML is an object in JSON. */
export type TypeNames = Readonly<Record<string, string>>;

const shownCharsMax = 60;

/** Our checks word their own reasons ("must be …"); a wrong type is worded here. */
export function issueReason(issue: BaseIssue<unknown>, names: TypeNames): string {
  if (issue.received === "undefined") {
    return "is missing";
  }
  if (issue.kind !== "schema") {
    return `${issue.message}, not ${shown(issue.input)}`;
  }
  const expected = issue.type === "picklist" ? oneOf(issue.expected) : names[issue.expected ?? ""];
  return `must be ${expected ?? issue.expected}, not ${shown(issue.input)}`;
}

/** `("auto" | "none")` as people write it. */
function oneOf(expected: string | null): string {
  return `one of ${(expected ?? "")
    .replace(/^\((.*)\)$/, "$1")
    .replaceAll('"', "")
    .replaceAll(" | ", ", ")}`;
}

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? String(value)).slice(0, shownCharsMax);
}
