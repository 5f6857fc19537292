/**
 * Context in columnar formats, which the store writes as a whole: the keys of a window's rows are queried first
 * (context-pages.ts), and their context is sent with the second query, as a table to join.
 */
import { type RowQuery, rowsOf } from "../../engines/store/clickhouse/rows.ts";
import { textLiteral } from "../../engines/store/clickhouse/sql-literals.ts";
import type { AddressContext } from "../enrich/address-context.ts";
import { contextColumns, type Known } from "../enrich/context-fields.ts";
import { contextKey } from "./context-finders.ts";
import { addressOf, knownOf } from "./context-pages.ts";
import type { AskStore } from "./view.ts";

/** Two parts of a query. */
export interface ContextJoin {
  /** The columns, after those of the row; null = unknown. */
  readonly select: string;
  /** The part after FROM. */
  readonly from: string;
}

/** Numeric columns. */
const numberTypes: Readonly<Record<string, string>> = {
  ...{ asn: "UInt32", ixp_id: "UInt32", geo_lat: "Float64", geo_lon: "Float64", geo_radius_km: "Float64" },
};

/** `keys` yields each key once, `key` is that of a row. Rejects with Failure `store`. */
export async function contextJoin(
  ask: AskStore,
  { keys, key }: { readonly keys: RowQuery; readonly key: string },
  addressContext: AddressContext,
): Promise<ContextJoin> {
  const columns = contextColumns<Known>(addressContext.fields, "csv", (known) => known);
  const rows = await ask((store) => Array.fromAsync(rowsOf<Record<typeof contextKey, string>>(store, keys)));
  const found = rows.map((row) => row[contextKey]);
  await addressContext.names?.find(found.map(addressOf));
  const lines = found.map((one) => {
    const known = knownOf(addressContext, one);
    const values = columns.map(({ name, value }) => [name, value(known) ?? null] as const);
    return JSON.stringify({ [contextKey]: one, ...Object.fromEntries(values) });
  });
  const types = columns.map(({ name }) => `${name} Nullable(${numberTypes[name] ?? "String"})`);
  const structure = [`${contextKey} String`, ...types].join(", ");
  const table = `format(JSONEachRow, ${textLiteral(structure)}, ${textLiteral(lines.join("\n"))})`;
  return {
    select: columns.map(({ name }) => `known.${name} AS ${name}`).join(", "),
    from: `LEFT ANY JOIN (SELECT * FROM ${table}) AS known ON ${key} = known.${contextKey}`,
  };
}
