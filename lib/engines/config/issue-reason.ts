/** A schema's complaint about a value, as words that follow the value's name: `must be a number, not "x"`. */
import type { BaseIssue, GenericSchema } from "valibot";
import { withoutPassword } from "../../base/failure/without-password.ts";
import { nearest } from "./nearest.ts";

/** Names of types in the written format: a section in YAML is an object in JSON. */
export type TypeNames = Readonly<Record<string, string>>;

export const jsonTypeNames: TypeNames = {
  string: "text",
  number: "a number",
  boolean: "true or false",
  Array: "a list",
  Object: "an object",
};

const shownCharsMax = 60;
/** valibot's own, of a schema without words of its own. */
const defaultMessage = "Invalid ";

/** Our checks word their own reasons ("must be …"); a wrong type and an unknown member are worded here. */
export function issueReason(issue: BaseIssue<unknown>, names: TypeNames, schema: GenericSchema): string {
  if (issue.type === "strict_object" && issue.expected === "never") {
    return unknownReason(issue, schema);
  }
  if (issue.received === "undefined") {
    return "is missing";
  }
  if (issue.kind !== "schema" || !issue.message.startsWith(defaultMessage)) {
    // A check of several members names them; the whole object would only hide what it says.
    return isObject(issue.input) ? issue.message : `${issue.message}, not ${shown(issue.input)}`;
  }
  const expected = issue.type === "picklist" ? oneOf(issue.expected) : names[issue.expected ?? ""];
  return `must be ${expected ?? issue.expected}, not ${shown(issue.input)}`;
}

/** `is unknown; did you mean "limits"?` */
function unknownReason({ path }: BaseIssue<unknown>, schema: GenericSchema): string {
  const keys = (path ?? []).map(({ key }) => key);
  const known = knownMembers(schema, keys.slice(0, -1));
  const meant = nearest(String(keys.at(-1)).slice(0, shownCharsMax), known);
  if (meant !== null) {
    return `is unknown; did you mean "${meant}"?`;
  }
  return known.length === 0 ? "is unknown" : `is unknown; known here: ${known.join(", ")}`;
}

/** `("auto" | "none")` as people write it. */
function oneOf(expected: string | null): string {
  return `one of ${(expected ?? "")
    .replace(/^\((.*)\)$/, "$1")
    .replaceAll('"', "")
    .replaceAll(" | ", ", ")}`;
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value may be an address with a password. */
function shown(value: unknown): string {
  const text = typeof value === "string" ? withoutPassword(value) : value;
  return (JSON.stringify(text) ?? String(text)).slice(0, shownCharsMax);
}

/** The internals of a valibot schema that lead to its members. */
interface Inside {
  readonly entries?: Readonly<Record<string, GenericSchema>>;
  readonly item?: GenericSchema;
  /** Schema of every member of a record. */
  readonly value?: GenericSchema;
  readonly wrapped?: GenericSchema;
  readonly options?: readonly unknown[];
}

/** Names of the members there, in a union those of each option; none where the path leads out of the schema. */
function knownMembers(schema: GenericSchema, path: readonly unknown[]): string[] {
  const inside = schema as Inside;
  if (inside.wrapped !== undefined) {
    return knownMembers(inside.wrapped, path);
  }
  if (inside.options !== undefined) {
    return [...new Set(inside.options.filter(isSchema).flatMap((option) => knownMembers(option, path)))];
  }
  if (path.length === 0) {
    return Object.keys(inside.entries ?? {});
  }
  const [key, ...rest] = path;
  const below = inside.item ?? inside.value ?? entryOf(inside, key);
  return below === undefined ? [] : knownMembers(below, rest);
}

/** A picklist's options are words. */
function isSchema(option: unknown): option is GenericSchema {
  return typeof option === "object" && option !== null && "kind" in option && option.kind === "schema";
}

function entryOf({ entries = {} }: Inside, key: unknown): GenericSchema | undefined {
  return Object.entries(entries).find(([name]) => name === key)?.[1];
}
