/**
 * Schemas that stand in several places of an OpenAPI document, once each as a component, so that types made from it
 * are written once. Pure.
 */
import type { OpenApiDocument } from "../../lib/engines/http/openapi-document.ts";
import type { JsonSchema } from "./shape-text.ts";

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
type JsonObject = { readonly [key: string]: Json };

/** Characters of a schema's text below which a name is not shorter. */
const sharedCharsMin = 120;

/** `named`: names of schemas; others are named after the operation where they first occur. */
export function withSharedSchemas(
  document: OpenApiDocument,
  named: ReadonlyMap<string, JsonSchema>,
): OpenApiDocument {
  const names = new Map([...named].map(([name, schema]) => [textOf(schema as Json), name] as const));
  const parts = new SharedParts(names);
  const paths = document.paths as unknown as JsonObject;
  parts.count(paths);
  const shared = parts.replaced(paths, "");
  const { components } = document;
  const schemas = { ...components?.schemas, ...parts.schemas() } as Schemas;
  return { ...document, paths: shared as OpenApiDocument["paths"], components: { ...components, schemas } };
}

type Schemas = NonNullable<NonNullable<OpenApiDocument["components"]>["schemas"]>;

class SharedParts {
  readonly #names: Map<string, string>;
  readonly #counts = new Map<string, number>();
  readonly #schemas = new Map<string, Json>();

  constructor(names: Map<string, string>) {
    this.#names = names;
  }

  schemas(): JsonObject {
    return Object.fromEntries(this.#schemas);
  }

  count(value: Json): void {
    if (isObjectSchema(value)) {
      const text = textOf(value);
      this.#counts.set(text, (this.#counts.get(text) ?? 0) + 1);
    }
    for (const part of partsOf(value)) {
      this.count(part);
    }
  }

  /** `place`: the operation's id and the members on the way, for a name. */
  replaced(value: Json, place: string): Json {
    const text = isObjectSchema(value) ? textOf(value) : "";
    if (text.length < sharedCharsMin || (this.#counts.get(text) ?? 0) < 2) {
      return this.#within(value, place);
    }
    const name = this.#names.get(text) ?? this.#newName(place);
    this.#names.set(text, name);
    if (!this.#schemas.has(name)) {
      // Its own name is taken before those of its parts.
      this.#schemas.set(name, null);
      this.#schemas.set(name, this.#within(value, name));
    }
    return { $ref: `#/components/schemas/${name}` };
  }

  #within(value: Json, place: string): Json {
    if (isList(value)) {
      return value.map((part) => this.replaced(part, place));
    }
    if (!isObject(value)) {
      return value;
    }
    const { operationId } = value;
    const here = typeof operationId === "string" ? pascal(operationId) : place;
    return Object.fromEntries(
      Object.entries(value).map(([key, part]) => [key, this.replaced(part, nextPlace(here, key))]),
    );
  }

  #newName(place: string): string {
    const taken = new Set(this.#names.values());
    for (let number = 1; ; number++) {
      const name = number === 1 ? place : `${place}${number}`;
      if (!taken.has(name)) {
        return name;
      }
    }
  }
}

/** Members of JSON Schema and OpenAPI on the way to a property do not name it. */
const steps = new Set([
  ...["properties", "items", "prefixItems", "anyOf", "oneOf", "allOf", "schema", "content", "responses"],
  ...["parameters", "requestBody", "application/json", "additionalProperties"],
]);

function nextPlace(place: string, key: string): string {
  return steps.has(key) || !/^[a-z]\w*$/i.test(key) ? place : `${place}${pascal(key)}`;
}

function pascal(text: string): string {
  return text.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function isObjectSchema(value: Json): boolean {
  return isObject(value) && value.type === "object" && isObject(value.properties ?? null);
}

function isObject(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null && !isList(value);
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

function partsOf(value: Json): readonly Json[] {
  return isList(value) ? value : isObject(value) ? Object.values(value) : [];
}

/** With members in one order. */
function textOf(value: Json): string {
  return JSON.stringify(value, (_, part: Json) =>
    isObject(part) ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1))) : part,
  );
}
