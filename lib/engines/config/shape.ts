/**
 * The structure of a configuration's valibot schema: its sections, lists and values, in a form that can be walked.
 *
 * Our schemas are made of `v.object`, `v.array`, `v.optional` and values; a value is declared by `configKey`, which
 * describes it for people.
 */
import * as v from "valibot";
import { wholeNumber } from "../../base/api/fields.ts";

interface KeyNotes {
  /** For people, without a full stop. */
  readonly meaning: string;
  /** "ms", "packets/s", …; omitted where it has none. */
  readonly unit?: string;
  /** Text in the table of keys where the default is not a plain value. */
  readonly otherwise?: string;
  /** `0`, `""` and nothing at all mean the default, as existing files have it. */
  readonly blankIsDefault?: boolean;
}

type ValueType = "text" | "number" | "boolean";

export type Shape =
  | { readonly kind: "section"; readonly entries: ReadonlyMap<string, Shape> }
  | { readonly kind: "list"; readonly item: Shape; readonly notes: KeyNotes | null }
  | {
      readonly kind: "value";
      readonly type: ValueType;
      readonly notes: KeyNotes;
      /** Undefined = none; see `isRequired`. */
      readonly defaultValue: unknown;
      readonly isRequired: boolean;
    };

/** Any schema; its output type is known where it is used. */
export type ConfigSchema = v.GenericSchema;

/** Declares a value, or a list of values, with its entry in the table of keys. */
export function configKey<Schema extends ConfigSchema>(schema: Schema, notes: KeyNotes) {
  return v.pipe(schema, v.metadata({ ...notes }));
}

type OptionalKey = v.OptionalSchema<ConfigSchema, unknown>;
type Key<Schema extends ConfigSchema> = ReturnType<typeof configKey<Schema>>;

/** A key that may be left out, and then has no value. */
export function optionalKey<Schema extends ConfigSchema>(schema: Schema, notes: KeyNotes) {
  return v.optional(configKey(schema, notes));
}

/** A key that may be left out, and then is `fallback`. */
export function keyWithDefault<
  Schema extends ConfigSchema,
  const Fallback extends v.Default<Key<Schema>, undefined>,
>(schema: Schema, fallback: Fallback, notes: KeyNotes) {
  return v.optional(configKey(schema, notes), fallback);
}

/** A whole number that may be left out: from `low` to `high`, else `fallback`. */
export function numberKey(
  [low, high]: readonly [low: number, high: number],
  fallback: number,
  notes: KeyNotes,
) {
  return v.optional(configKey(wholeNumber(low, high), notes), fallback);
}

/** A section that may be left out: each of its keys may. */
export function section<Entries extends Readonly<Record<string, OptionalKey>>>(entries: Entries) {
  const keys = v.object(entries);
  return v.optional(keys, {} as v.InferInput<typeof keys>);
}

/** The internals of a schema that shape.ts reads. */
interface Inside {
  readonly type: string;
  readonly entries?: Readonly<Record<string, ConfigSchema>>;
  readonly item?: ConfigSchema;
  readonly wrapped?: ConfigSchema;
  readonly default?: unknown;
}

const valueTypes: Readonly<Record<string, ValueType>> = {
  string: "text",
  picklist: "text",
  number: "number",
  boolean: "boolean",
};

/** Throws TypeError on a schema that has other parts: a mistake of the program, not of the file. */
export function shapeOf(schema: ConfigSchema, defaultValue?: unknown, isRequired = true): Shape {
  const inside = schema as unknown as Inside;
  if (inside.wrapped !== undefined) {
    return shapeOf(inside.wrapped, inside.default, false);
  }
  if (inside.entries !== undefined) {
    const entries = Object.entries(inside.entries).map(([name, entry]) => [name, shapeOf(entry)] as const);
    return { kind: "section", entries: new Map(entries) };
  }
  const notes = v.getMetadata(schema as never) as unknown as KeyNotes;
  if (inside.item !== undefined) {
    return { kind: "list", item: shapeOf(inside.item), notes: "meaning" in notes ? notes : null };
  }
  const type = valueTypes[inside.type];
  if (type === undefined) {
    throw new TypeError(`Cannot use a schema of type ${inside.type} in a configuration`);
  }
  return { kind: "value", type, notes, defaultValue, isRequired };
}
