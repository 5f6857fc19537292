/**
 * Tables of PeeringDB: which LAN belongs to which exchange, and which member has which address there.
 *
 * Either one table a file, as its API answers (`{"data": […]}`), where the fields of a row tell which table it is, or
 * all in one (`{"ix": {"data": […]}, "ixlan": …}`). They may come in any order.
 */
import * as v from "valibot";
import { parseAddress } from "../../ip/address.ts";
import { parsePrefix } from "../../ip/prefix.ts";
import { mappedBits, wordsOf } from "../../ip/words.ts";
import type { ContextBuilder } from "../context-builder.ts";
import { DataFileError } from "../data-file-error.ts";

const id = v.pipe(v.number(), v.integer(), v.minValue(0));
const text = v.nullish(v.string(), "");

/** The schema and the handler of each table's rows; the first table that fits a row is the row's table. */
const tables = {
  netixlan: table(
    v.object({ ixlan_id: id, asn: id, ipaddr4: v.nullable(v.string()), ipaddr6: v.nullable(v.string()) }),
    (row, book) => {
      const addresses = [row.ipaddr4, row.ipaddr6].flatMap((address) => parseAddress(address ?? "") ?? []);
      book.exchanges.addMember(row.ixlan_id, row.asn, addresses);
    },
  ),
  ixpfx: table(v.object({ ixlan_id: id, protocol: v.string(), prefix: v.string() }), (row, book) => {
    const prefix = parsePrefix(row.prefix);
    if (prefix === null) {
      throw new RangeError(`"${row.prefix}" is not a prefix`);
    }
    book.exchanges.addPrefix(row.ixlan_id, wordsOf(prefix.base), mappedBits(prefix));
  }),
  ixlan: table(v.object({ id, ix_id: id }), (row, book) => {
    book.exchanges.addLan(row.id, row.ix_id);
  }),
  net: table(v.object({ asn: id, name: v.string(), info_type: text }), (row, book) => {
    book.nameAs(row.asn, row.name, null);
  }),
  ix: table(v.object({ id, name: v.string(), city: text, country: text }), (row, book) => {
    const { city, country } = row;
    book.exchanges.addExchange({ id: row.id, name: row.name, city: city || null, country: country || null });
  }),
} as const;

type TableName = keyof typeof tables;
type Add = (row: unknown, book: ContextBuilder) => boolean;

function table<const Schema extends v.GenericSchema>(
  schema: Schema,
  add: (row: v.InferOutput<Schema>, book: ContextBuilder) => void,
): Add {
  return (value, book) => {
    const row = v.safeParse(schema, value);
    if (row.success) {
      add(row.output, book);
    }
    return row.success;
  };
}

interface ApiResponse {
  readonly data: readonly unknown[];
}

export function isPeeringdb(value: unknown): boolean {
  return isAnswer(value) || tablesIn(value).length > 0;
}

/** Returns the number of rows. */
export function readPeeringdb(value: unknown, book: ContextBuilder): number {
  if (isAnswer(value)) {
    return readTable(value, tableOf(value.data[0]), "data", book);
  }
  return tablesIn(value).reduce(
    (count, [name, answer]) => count + readTable(answer, name, `${name}.data`, book),
    0,
  );
}

function readTable({ data }: ApiResponse, name: TableName, place: string, book: ContextBuilder): number {
  for (const [index, row] of data.entries()) {
    try {
      if (!tables[name](row, book)) {
        throw new RangeError(`not a row of ${name}`);
      }
    } catch (cause) {
      throw new DataFileError(`${place}[${index}]`, cause instanceof Error ? cause.message : String(cause), {
        cause,
      });
    }
  }
  return data.length;
}

function tableOf(row: unknown): TableName {
  const has = (...names: string[]) =>
    typeof row === "object" && row !== null && names.every((name) => name in row);
  if (has("ixlan_id", "ipaddr4")) {
    return "netixlan";
  }
  if (has("ixlan_id", "prefix")) {
    return "ixpfx";
  }
  if (has("ix_id")) {
    return "ixlan";
  }
  if (has("asn", "name")) {
    return "net";
  }
  if (has("name", "city")) {
    return "ix";
  }
  throw new DataFileError("data[0]", `not a row of ${Object.keys(tables).join(", ")}`);
}

function isAnswer(value: unknown): value is ApiResponse {
  return typeof value === "object" && value !== null && "data" in value && Array.isArray(value.data);
}

function tablesIn(value: unknown): [TableName, ApiResponse][] {
  if (typeof value !== "object" || value === null) {
    return [];
  }
  return Object.entries(value).flatMap(([name, answer]): [TableName, ApiResponse][] =>
    isTableName(name) && isAnswer(answer) ? [[name, answer]] : [],
  );
}

function isTableName(name: string): name is TableName {
  return name in tables;
}
