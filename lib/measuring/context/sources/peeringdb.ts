/**
 * Tables of PeeringDB: which LAN belongs to which exchange, and which member has which address there.
 *
 * Either one table a file, as its API answers (`{"data": […]}`), where the fields of a row identify the table, or
 * all in one (`{"ix": {"data": […]}, "ixlan": …}`). They may come in any order. Rows that are not `ok` (deleted,
 * pending) are left out, rows that cannot be read and other tables are skipped; all are counted.
 */
import * as v from "valibot";
import { type Address, parseAddress } from "../../../net/ip/address.ts";
import { parsePrefix } from "../../../net/ip/prefix.ts";
import { mappedBits, wordsOf } from "../../../net/ip/words.ts";
import type { ContextBuilder } from "../context-builder.ts";
import { DataFileError } from "../data-file-error.ts";
import { isReadTable, isTableName, type ReadTable, readTables, tableOf } from "./peeringdb-tables.ts";

const id = v.pipe(v.number(), v.integer(), v.minValue(0));
const text = v.nullish(v.string(), "");

/** The schema and the handler of each table's rows. */
const tables: Readonly<Record<ReadTable, Add>> = {
  netixlan: table(
    v.object({ ixlan_id: id, asn: id, ipaddr4: v.nullable(v.string()), ipaddr6: v.nullable(v.string()) }),
    (row, builder) => {
      const addresses = [row.ipaddr4, row.ipaddr6].flatMap(addressesIn);
      builder.exchanges.addMember(row.ixlan_id, row.asn, addresses);
    },
  ),
  ixpfx: table(v.object({ ixlan_id: id, protocol: v.string(), prefix: v.string() }), (row, builder) => {
    const prefix = parsePrefix(row.prefix);
    if (prefix === null) {
      throw new RangeError(`"${row.prefix}" is not a prefix`);
    }
    builder.exchanges.addPrefix(row.ixlan_id, wordsOf(prefix.base), mappedBits(prefix));
  }),
  ixlan: table(v.object({ id, ix_id: id }), (row, builder) => {
    builder.exchanges.addLan(row.id, row.ix_id);
  }),
  net: table(v.object({ asn: id, name: v.string(), info_type: text }), (row, builder) => {
    builder.nameAs(row.asn, row.name, null);
  }),
  ix: table(v.object({ id, name: v.string(), city: text, country: text }), (row, builder) => {
    const { city, country } = row;
    builder.exchanges.addExchange({
      id: row.id,
      name: row.name,
      city: city || null,
      country: country || null,
    });
  }),
};

type Add = (row: unknown, builder: ContextBuilder) => boolean;

function table<const Schema extends v.GenericSchema>(
  schema: Schema,
  add: (row: v.InferOutput<Schema>, builder: ContextBuilder) => void,
): Add {
  return (value, builder) => {
    const row = v.safeParse(schema, value);
    if (row.success) {
      add(row.output, builder);
    }
    return row.success;
  };
}

function addressesIn(text: string | null): Address[] {
  const address = parseAddress(text ?? "");
  if (address === null && text) {
    throw new RangeError(`"${text.slice(0, 60)}" is not an address`);
  }
  return address === null ? [] : [address];
}

/** Names of tables have up to 10. */
const nameCharsMax = 40;

interface ApiResponse {
  readonly data: readonly unknown[];
}

export function isPeeringdb(value: unknown): boolean {
  return isAnswer(value) || tablesIn(value).some(([name]) => isTableName(name));
}

/**
 * Returns the number of rows that were taken.
 *
 * @throws DataFileError where the rows are of no table that is known, or none of them can be read
 */
export function readPeeringdb(value: unknown, builder: ContextBuilder): number {
  if (!isAnswer(value)) {
    const counts = tablesIn(value).map(([name, rows]) => readTable(rows, name, `${name}.data`, builder));
    return counts.reduce((sum, count) => sum + count, 0);
  }
  if (value.data.length === 0) {
    return 0;
  }
  const recognised = value.data.find((row) => tableOf(row) !== null);
  const table = tableOf(recognised);
  if (table === null) {
    throw new DataFileError("data[0]", `not a row of ${readTables.join(", ")}`);
  }
  return readTable(value, table, "data", builder);
}

function readTable({ data }: ApiResponse, table: string, place: string, builder: ContextBuilder): number {
  if (!isReadTable(table)) {
    const name = table.slice(0, nameCharsMax);
    builder.passOver({ reason: `table ${name} of PeeringDB, which is not used`, place, isDamage: false });
    return 0;
  }
  let taken = 0;
  for (const [index, row] of data.entries()) {
    const status = statusOf(row);
    const at = `${place}[${index}]`;
    const reason = status === "ok" ? rowFailure(row, table, builder) : null;
    if (status !== "ok") {
      builder.passOver({
        ...{ reason: `row of ${table} with the status "${status}"`, place: at, isDamage: false },
        fate: "left out",
      });
    } else if (reason === null) {
      taken++;
    } else if (taken === 0 && index === data.length - 1) {
      throw new DataFileError(at, reason);
    } else {
      builder.passOver({
        reason: `row of ${table} that cannot be read`,
        place: at,
        detail: reason,
        isDamage: true,
      });
    }
  }
  return taken;
}

/** Null = the row is taken. */
function rowFailure(row: unknown, table: ReadTable, builder: ContextBuilder): string | null {
  try {
    return tables[table](row, builder) ? null : `not a row of ${table}`;
  } catch (cause) {
    return cause instanceof Error ? cause.message : String(cause);
  }
}

/** Tables that were shortened may lack it. */
function statusOf(row: unknown): string {
  return typeof row === "object" && row !== null && "status" in row ? String(row.status).slice(0, 20) : "ok";
}

function isAnswer(value: unknown): value is ApiResponse {
  return typeof value === "object" && value !== null && "data" in value && Array.isArray(value.data);
}

/** Those of names that are not known too. */
function tablesIn(value: unknown): [string, ApiResponse][] {
  if (typeof value !== "object" || value === null) {
    return [];
  }
  return Object.entries(value).flatMap(([name, answer]): [string, ApiResponse][] =>
    isAnswer(answer) ? [[name, answer]] : [],
  );
}
