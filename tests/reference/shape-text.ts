/**
 * A JSON schema as people read shapes: `{ id: string (uuid), probes: integer, reason?: string | null }`.
 *
 * Lines are broken, by two spaces a level, where one would be longer than a page is wide.
 */

export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema | boolean;
  /** For a tuple, a schema for each position. */
  readonly items?: JsonSchema | readonly JsonSchema[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
}

const widthMax = 100;

export function shapeText(schema: JsonSchema, indent = ""): string {
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) {
    return [...new Set(choices.map((one) => shapeText(one, indent)))].join(" | ");
  }
  if (schema.const !== undefined || schema.enum !== undefined) {
    return (schema.enum ?? [schema.const]).map((value) => JSON.stringify(value)).join(" | ");
  }
  switch (schema.type) {
    case "object":
      return objectText(schema, indent);
    case "array":
      return arrayText(schema.items ?? {}, indent);
    case undefined:
      return schema.$ref?.split("/").at(-1) ?? "any";
    default:
      return `${schema.type}${detailText(schema)}`;
  }
}

function objectText({ properties, required = [], additionalProperties }: JsonSchema, indent: string): string {
  const rest = typeof additionalProperties === "object" ? additionalProperties : null;
  const inner = `${indent}  `;
  const members = Object.entries(properties ?? {}).map(
    ([name, one]) => `${name}${required.includes(name) ? "" : "?"}: ${shapeText(one, inner)}`,
  );
  return bracketed(
    "{",
    rest === null ? members : [...members, `[name]: ${shapeText(rest, inner)}`],
    "}",
    indent,
  );
}

function arrayText(items: JsonSchema | readonly JsonSchema[], indent: string): string {
  if (isTuple(items)) {
    return bracketed(
      "[",
      items.map((one) => shapeText(one, `${indent}  `)),
      "]",
      indent,
    );
  }
  const text = shapeText(items, indent);
  return text.includes(" | ") && !/^[{[]/.test(text) ? `(${text})[]` : `${text}[]`;
}

function isTuple(items: JsonSchema | readonly JsonSchema[]): items is readonly JsonSchema[] {
  return Array.isArray(items);
}

function bracketed(open: string, members: readonly string[], close: string, indent: string): string {
  const line = `${open} ${members.join(", ")} ${close}`;
  if (members.length === 0) {
    return `${open}${close}`;
  }
  if (!line.includes("\n") && indent.length + line.length <= widthMax) {
    return line;
  }
  return `${open}\n${members.map((one) => `${indent}  ${one}`).join(",\n")}\n${indent}${close}`;
}

/** Limits of JavaScript's numbers are not our limits. */
function detailText({ format, minimum, maximum }: JsonSchema): string {
  const least = minimum === undefined || minimum === Number.MIN_SAFE_INTEGER ? null : minimum;
  const most = maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? null : maximum;
  const range = least === null && most === null ? null : `${least ?? ""} to ${most ?? ""}`.trim();
  const details = [format, range].filter((one) => one !== undefined && one !== null);
  return details.length === 0 ? "" : ` (${details.join(", ")})`;
}
