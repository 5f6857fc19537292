/**
 * Result values in each format: how the store writes them for JSON and for CSV, and their JSON schema.
 *
 * An address is text, IPv4 as `192.0.2.1`; a time RFC 3339 in UTC with nanoseconds; a protocol its name, or its number
 * if it has none here; labels in CSV are `label/exp/bottom/ttl`, separated by `|`. Text chosen by agents has no control
 * characters in CSV. In columnar formats a time is a time stamp, and labels are a list of structures.
 */
import * as v from "valibot";
import { textLiteral } from "../../engines/store/clickhouse/sql-literals.ts";
import { ianaNumber, protocolNames, protocols } from "../../net/packet/probe.ts";
import { rttUnknownTenthMs } from "../../net/packet/reply.ts";

export interface ValueForm {
  /** An SQL expression, for JSON. */
  readonly sql: (column: string) => string;
  /** For CSV, a columnar format, and a table cell, where they differ. */
  readonly csv?: (column: string) => string;
  readonly column?: (column: string) => string;
  readonly cell?: (column: string) => string;
  /** A cell's text from the JSON value, if it is not the value as text. */
  readonly text?: (value: unknown, row: unknown) => string;
  /** Characters after which a cell is cut; absent = never. */
  readonly drawn?: { readonly lettersMax: number };
  readonly schema: v.GenericSchema;
  readonly isNumber?: boolean;
  /** A row may lack it. */
  readonly isOptional?: boolean;
}

const plain = (column: string) => column;

export const text: ValueForm = {
  sql: (column) => `toString(${column})`,
  csv: (column) => `replaceRegexpAll(toString(${column}), '[\\\\x00-\\\\x1f\\\\x7f]', ' ')`,
  schema: v.string(),
};

/** Missing in a gateway of version 0.1.0. */
export const attribution: ValueForm = {
  sql: plain,
  column: (column) => `toString(${column})`,
  schema: v.picklist(["exact", "by_time", "none"]),
  isOptional: true,
};

export const count: ValueForm = {
  ...{ sql: plain, isNumber: true },
  schema: v.pipe(v.number(), v.integer(), v.minValue(0)),
};

export const figure: ValueForm = { sql: plain, isNumber: true, schema: v.number() };

export const u8: ValueForm = {
  ...{ sql: plain, isNumber: true },
  schema: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(255)),
};

export const u16: ValueForm = {
  ...{ sql: plain, isNumber: true },
  schema: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(65_535)),
};

export const address: ValueForm = {
  sql: (column) =>
    `if(startsWith(toString(${column}), '::ffff:') AND position(toString(${column}), '.') > 0,
      substring(toString(${column}), 8), toString(${column}))`,
  schema: v.pipe(v.string(), v.union([v.pipe(v.string(), v.ipv4()), v.pipe(v.string(), v.ipv6())])),
};

export const time: ValueForm = {
  sql: (column) => `concat(replaceOne(toString(${column}), ' ', 'T'), 'Z')`,
  column: plain,
  schema: v.pipe(v.string(), v.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3,9}Z$/)),
};

/** Null is empty in CSV and in a cell. */
export function nullable(form: ValueForm): ValueForm {
  return { ...form, schema: v.nullable(form.schema) };
}

/** `2026-01-31T12:00:00.123456789Z`, to nanoseconds since the epoch; null for fewer digits, or no such time. */
export function timeNs(text: string): bigint | null {
  const seconds = Date.parse(`${text.slice(0, 19)}Z`);
  return text.length === 30 && !Number.isNaN(seconds)
    ? BigInt(seconds) * 1_000_000n + BigInt(text.slice(20, 29))
    : null;
}

const known = protocols.map((protocol) => ianaNumber[protocol]).join();
const names = protocols.map((protocol) => textLiteral(protocolNames[protocol])).join();

export const protocol: ValueForm = {
  sql: (column) => `transform(${column}, [${known}], [${names}], toString(${column}))`,
  schema: v.string(),
};

export const rttMs: ValueForm = {
  sql: (column) => `if(${column} = ${rttUnknownTenthMs}, NULL, ${column} / 10)`,
  isNumber: true,
  schema: v.nullable(v.number()),
};

/** Missing in a gateway of version 0.1.0. */
export const rttUs: ValueForm = {
  sql: (column) => `nullIf(${column}, 0)`,
  isNumber: true,
  isOptional: true,
  schema: v.nullable(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(0xffff_ffff))),
};

export const label = v.object({
  label: v.pipe(v.number(), v.integer()),
  exp: v.pipe(v.number(), v.integer()),
  bottom_of_stack: v.boolean(),
  ttl: v.pipe(v.number(), v.integer()),
});
export type LabelJson = Readonly<v.InferOutput<typeof label>>;

export const labels: ValueForm = {
  sql: (column) =>
    `CAST(${column}, 'Array(Tuple(label UInt32, exp UInt8, bottom_of_stack Bool, ttl UInt8))')`,
  csv: labelsText,
  cell: labelsText,
  text: (value) =>
    (value as readonly LabelJson[])
      .map(({ label, exp, bottom_of_stack: bottom, ttl }) => `${label}/${exp}/${Number(bottom)}/${ttl}`)
      .join("|"),
  schema: v.array(label),
};

function labelsText(column: string): string {
  return `arrayStringConcat(arrayMap(entry -> concat(toString(entry.1), '/', toString(entry.2), '/',
    toString(entry.3), '/', toString(entry.4)), ${column}), '|')`;
}
