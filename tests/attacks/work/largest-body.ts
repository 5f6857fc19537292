/** The largest value that a route's schema admits, within the limits of JSON bodies. */
import { jsonValuesMax } from "../../../lib/net/wire/limits.ts";

/** JSON Schema as our documents write it: without references. */
export interface BodySchema {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly BodySchema[];
  readonly oneOf?: readonly BodySchema[];
  readonly properties?: Readonly<Record<string, BodySchema>>;
  readonly additionalProperties?: BodySchema | boolean;
  readonly items?: BodySchema;
  readonly maxItems?: number;
  readonly maxLength?: number;
  readonly maximum?: number;
  readonly format?: string;
}

interface Room {
  readonly bytes: number;
  readonly values: number;
}

/** Values of members whose pattern or meaning is checked, so that more than the first check is reached. */
const meant: Readonly<Record<string, (index: number) => unknown>> = {
  ttl: () => "1-32",
  granted_prefixes: (index) => `198.${51 + (index >> 8)}.${index & 255}.0/24`,
  targets: (index) => `${64 + (index >> 16)}.${(index >> 8) & 255}.${index & 255}.0/24`,
  probes: (index) => `203.0.${(index >> 8) & 255}.${index & 255},24000,33434,7,udp`,
  prefix: () => "2001:db8::/48",
  src_ipv4_prefix: () => "192.0.2.0/24",
  src_ipv6_prefix: () => "2001:db8::/64",
  name: (index) => `name ${index}`,
  cron: () => "0 0 29 2 1",
  zone: () => "Africa/Casablanca",
  country: () => "DE",
  machine: () => "2001:db8::1",
  duration_hours: () => 1,
};

interface Largest {
  /** The id of an object that exists. */
  readonly id: string;
  readonly bytes: number;
}

export function largestBody(schema: BodySchema, { id, bytes }: Largest): unknown {
  // Names, brackets and commas need some, too.
  const room = { bytes: 0.8 * bytes, values: jsonValuesMax - 200 };
  return madeOf(schema, { room, name: "", index: 0, id });
}

interface Place {
  readonly room: Room;
  readonly name: string;
  readonly index: number;
  readonly id: string;
}

function madeOf(schema: BodySchema, place: Place): unknown {
  const { name } = place;
  if (name === "agents") {
    return "attacked";
  }
  const options = schema.anyOf ?? schema.oneOf;
  if (options !== undefined) {
    return madeOf(options.toSorted((a, b) => weight(b) - weight(a))[0] ?? {}, place);
  }
  return schema.const ?? schema.enum?.at(-1) ?? typedValue(schema, place);
}

function typedValue(schema: BodySchema, place: Place): unknown {
  const { room, name, index, id } = place;
  switch (schema.type) {
    case "array":
      return manyOf(schema, place);
    case "object":
      return membersOf(schema, place);
    case "string":
      return textOf(schema, place);
    case "integer":
    case "number":
      return meant[name]?.(index) ?? schema.maximum ?? Number.MAX_SAFE_INTEGER;
    case "boolean":
      return true;
    default:
      return schema.type === "null" ? null : { [id]: "x".repeat(Math.min(1000, room.bytes)) };
  }
}

/** Arrays hold most. */
function weight({ type }: BodySchema): number {
  return ["null", "boolean", "integer", "string", "object", "array"].indexOf(type ?? "");
}

function textOf({ format, maxLength }: BodySchema, { room, name, index, id }: Place): unknown {
  if (format === "uuid") {
    return id;
  }
  if (format === "date-time") {
    return "9999-12-31T23:59:59Z";
  }
  return meant[name]?.(index) ?? "x".repeat(Math.max(1, Math.min(maxLength ?? 100_000, room.bytes)));
}

function manyOf({ items = {}, maxItems = Number.POSITIVE_INFINITY }: BodySchema, place: Place): unknown[] {
  const all: unknown[] = [];
  // What a schema does not limit in length is limited by what there are: a thousand long ones, or many short ones.
  const each: Room = { bytes: place.room.bytes / 1000, values: place.room.values / 10 };
  let { bytes, values } = place.room;
  while (all.length < maxItems && bytes > 0 && values > 0) {
    const one = madeOf(items, { ...place, room: each, index: all.length });
    bytes -= JSON.stringify(one).length + 1;
    values -= countOf(one);
    all.push(one);
  }
  return all.length > 1 ? all.slice(0, -1) : all;
}

function membersOf({ properties = {}, additionalProperties }: BodySchema, place: Place) {
  const names = Object.keys(properties);
  const open = typeof additionalProperties === "object" ? 1000 : 0;
  const share = names.length + open;
  const room = { bytes: place.room.bytes / share, values: place.room.values / share };
  const own = Object.entries(properties).map(([name, one]) => [name, madeOf(one, { ...place, room, name })]);
  const others = Array.from({ length: Math.min(open, Math.floor(place.room.values / 20)) }, (_, i) => [
    `m${i}`,
    madeOf(typeof additionalProperties === "object" ? additionalProperties : {}, { ...place, room }),
  ]);
  return Object.fromEntries([...own, ...others]);
}

function countOf(value: unknown): number {
  return typeof value !== "object" || value === null
    ? 1
    : Object.values(value).reduce((sum: number, one) => sum + countOf(one), 1);
}
