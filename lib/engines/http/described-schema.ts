/**
 * valibot schemas in the OpenAPI document, which is JSON Schema 2020-12: parameters as they are sent, which is
 * as text, before what a schema makes of it, but whole numbers as such, with their bounds.
 */
import type { JsonSchema, OverrideSchemaContext } from "@valibot/to-json-schema";
import { resolver } from "hono-openapi";
import type * as v from "valibot";

const dialect = { target: "draft-2020-12" } as const;

/** JSON of a body or an answer. */
export function contentSchema(schema: v.GenericSchema) {
  return resolver(schema, { options: dialect });
}

/** Parameters of a query, or of a path. */
export function parametersSchema(schema: v.GenericSchema) {
  return resolver(schema, { options: { ...dialect, overrideSchema: asSent } });
}

function asSent({ valibotSchema, jsonSchema }: OverrideSchemaContext): JsonSchema | null {
  if (!("entries" in valibotSchema) || jsonSchema.properties === undefined) {
    return null;
  }
  const entries = valibotSchema.entries as Readonly<Record<string, Step>>;
  const properties = Object.entries(jsonSchema.properties).map(([name, property]) => {
    const entry = entries[name];
    return [
      name,
      entry === undefined || typeof property === "boolean" ? property : parameterOf(property, entry),
    ];
  });
  return { ...jsonSchema, properties: Object.fromEntries(properties) };
}

/** What `digits` of lib/base/api/fields.ts asks for. */
const digitsPattern = /^\^(?:\\d|\[0-9\])\{1,(\d+)\}\$$/;

function parameterOf(property: JsonSchema, entry: Step): JsonSchema {
  const { pattern = "", default: given, ...rest } = property;
  const { type, description } = property;
  if (type === "array" || type === "object") {
    const preset = given === undefined ? {} : { default: given };
    return { type: "string", ...preset, ...(description === undefined ? {} : { description }) };
  }
  const digitsMax = digitsPattern.exec(pattern)?.[1];
  if (type !== "string" || digitsMax === undefined) {
    return property;
  }
  const steps = stepsOf(entry);
  const bounds = (type: string) =>
    steps.filter((step) => step.type === type).map((step) => Number(step.requirement));
  return {
    ...rest,
    type: "integer",
    minimum: Math.max(0, ...bounds("min_value")),
    maximum: Math.min(10 ** Number(digitsMax) - 1, ...bounds("max_value")),
    ...(typeof given === "string" ? { default: Number(given) } : {}),
  };
}

/** A schema of valibot, or one of the actions behind it. */
interface Step {
  readonly type: string;
  readonly requirement?: unknown;
  readonly wrapped?: Step;
  readonly pipe?: readonly Step[];
}

/** Those of pipes within pipes too: the first step of a pipe is a schema that may have one of its own. */
function stepsOf(step: Step): Step[] {
  const inner = [...(step.wrapped === undefined ? [] : [step.wrapped]), ...(step.pipe ?? [])];
  return [step, ...inner.filter((one) => one !== step).flatMap(stepsOf)];
}
