/**
 * Which table of PeeringDB a row is of, by fields that only this table has: its API says that nowhere in an answer.
 *
 * Rows of several tables have a name, a city and a country: org has an address, fac an `org_name` besides, and only ix
 * has an `org_id` without either.
 */

/** Tables that are read. */
export const readTables = ["netixlan", "ixpfx", "ixlan", "net", "ix"] as const;
export type ReadTable = (typeof readTables)[number];

/** Tables that are skipped. */
const otherTables = [
  ...["org", "fac", "netfac", "ixfac", "poc", "carrier", "carrierfac", "campus", "as_set"],
] as const;
type OtherTable = (typeof otherTables)[number];

type TableName = ReadTable | OtherTable;

interface Signature {
  readonly table: TableName;
  readonly has: readonly string[];
  readonly lacks?: readonly string[];
}

/** The first one that fits. */
const signatures: readonly Signature[] = [
  { table: "netixlan", has: ["ixlan_id", "asn", "ipaddr4"] },
  { table: "netixlan", has: ["ixlan_id", "asn", "ipaddr6"] },
  { table: "ixpfx", has: ["ixlan_id", "prefix"] },
  { table: "carrierfac", has: ["carrier_id", "fac_id"] },
  { table: "netfac", has: ["net_id", "fac_id"] },
  { table: "ixfac", has: ["ix_id", "fac_id"] },
  { table: "ixlan", has: ["ix_id"], lacks: ["ixlan_id"] },
  { table: "poc", has: ["net_id", "role"] },
  { table: "net", has: ["asn", "name"], lacks: ["net_id", "ixlan_id"] },
  { table: "carrier", has: ["org_id", "name"], lacks: ["city"] },
  { table: "campus", has: ["org_name", "fac_set"] },
  { table: "fac", has: ["org_name", "city"] },
  { table: "ix", has: ["org_id", "name", "city", "country"], lacks: ["address1"] },
  // Rows that were shortened by hand: those of the API have a status.
  { table: "ix", has: ["name", "city", "country"], lacks: ["status", "address1"] },
  { table: "org", has: ["name", "city", "country"] },
];

/** Null = of none that is known. */
export function tableOf(row: unknown): TableName | null {
  if (typeof row !== "object" || row === null) {
    return null;
  }
  const fits = ({ has, lacks = [] }: Signature) =>
    has.every((field) => field in row) && !lacks.some((field) => field in row);
  return signatures.find(fits)?.table ?? null;
}

export function isTableName(name: string): name is TableName {
  return isReadTable(name) || otherTables.some((one) => one === name);
}

export function isReadTable(name: string): name is ReadTable {
  return readTables.some((one) => one === name);
}
