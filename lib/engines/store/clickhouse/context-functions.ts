/**
 * Context in the column store's SQL: dictionaries of each day, and functions to query them.
 *
 * A dictionary holds numbers only, as texts are expensive in an ip_trie; names are looked up by number. A
 * query needs constant dictionary names, so the functions list the days: a row gets the numbers of the last
 * day up to its own, else of the first day, and stored rows are never rewritten.
 */
import { type PrefixRow, rowKinds } from "../../../measuring/context/set-rows.ts";
import { textLiteral } from "./sql-literals.ts";

/** The names that existing queries use. All values are text; empty = unknown. */
const attributes = {
  as_name: { of: "asn", dictionary: "ipinfo.asn_to_name" },
  as_domain: { of: "asn", dictionary: "ipinfo.asn_to_name" },
  country: { of: "place", dictionary: "context.place_names" },
  country_name: { of: "place", dictionary: "context.place_names" },
  continent: { of: "place", dictionary: "context.place_names" },
  continent_name: { of: "place", dictionary: "context.place_names" },
  city: { of: "place", dictionary: "context.place_names" },
  exchange: { of: "exchange", dictionary: "context.exchange_names" },
} as const;

/** The name of a day's dictionary of one kind; a day as `2026-11-22`. */
export function dictionaryName(kind: PrefixRow["kind"], day: string): string {
  return `context.${kind}_${day.replaceAll("-", "")}`;
}

export function dictionaryStatements(day: string): string[] {
  return rowKinds.map((kind) => {
    const condition = `day = ${textLiteral(day)} AND kind = ${textLiteral(kind)}`;
    const query = `SELECT prefix, number FROM context.prefixes WHERE ${condition}`;
    return `CREATE OR REPLACE DICTIONARY ${dictionaryName(kind, day)} (prefix String, number UInt32)
      PRIMARY KEY prefix SOURCE(CLICKHOUSE(QUERY ${textLiteral(query)})) LIFETIME(0) LAYOUT(IP_TRIE)`;
  });
}

/** Names of places cover all days; names of ASes and exchanges only the last day. */
export function nameDictionaryStatements(newest: string): string[] {
  const last = `WHERE day = ${textLiteral(newest)}`;
  const one = (name: string, key: string, columns: string, query: string) =>
    `CREATE OR REPLACE DICTIONARY ${name} (${key} UInt64, ${columns}) PRIMARY KEY ${key}
      SOURCE(CLICKHOUSE(QUERY ${textLiteral(query)})) LIFETIME(0) LAYOUT(HASHED)`;
  const places = ["country", "country_name", "continent", "continent_name", "city"];
  return [
    one(
      "ipinfo.asn_to_name",
      "asn",
      "as_name String, as_domain String",
      `SELECT toUInt64(asn), as_name, as_domain FROM context.as_names ${last}`,
    ),
    one(
      "context.place_names",
      "id",
      places.map((name) => `${name} String`).join(", "),
      `SELECT id, ${places.join(", ")} FROM context.places`,
    ),
    one("context.exchange_names", "id", "exchange String", `SELECT id, name FROM context.exchanges ${last}`),
  ];
}

/**
 * The two dictionaries that existing queries ask by themselves, of the newest day: `ipinfo.country_asn_net` has the
 * pointer of a network, `ipinfo.country_asn_val` what it points to, with `AS64500` as `asn`.
 */
export function networkDictionaryStatements(newest: string): string[] {
  const day = textLiteral(newest);
  const names = ["as_name", "as_domain", "country", "country_name", "continent", "continent_name"];
  const values = `SELECT pointer, if(value.asn = 0, '', concat('AS', toString(value.asn))) AS asn, ${names.join(", ")}
    FROM (SELECT * FROM context.network_values WHERE day = ${day}) AS value
    LEFT ANY JOIN (SELECT * FROM context.as_names WHERE day = ${day}) AS name ON value.asn = name.asn
    LEFT ANY JOIN context.places AS at ON value.place = at.id`;
  const columns = ["asn", ...names].map((name) => `${name} String`).join(", ");
  return [
    `CREATE OR REPLACE DICTIONARY ipinfo.country_asn_net (prefix String, pointer UInt64) PRIMARY KEY prefix
      SOURCE(CLICKHOUSE(QUERY ${textLiteral(`SELECT prefix, pointer FROM context.networks WHERE day = ${day}`)}))
      LIFETIME(0) LAYOUT(IP_TRIE)`,
    `CREATE OR REPLACE DICTIONARY ipinfo.country_asn_val (pointer UInt64, ${columns}) PRIMARY KEY pointer
      SOURCE(CLICKHOUSE(QUERY ${textLiteral(values)})) LIFETIME(0) LAYOUT(HASHED)`,
  ];
}

/** Places of all days have numbers of their own: the day's number (days since 1970), then the place in its set. */
export function placeIdOf(day: string, place: number): bigint {
  return (BigInt(Date.parse(`${day}T00:00:00Z`) / 86_400_000) << 32n) + BigInt(place);
}

/**
 * `country_asn(ip, attribute)` by the newest day, and `country_asn_on(ip, attribute, day)`.
 *
 * @param days the loaded days, oldest first; at least one
 */
export function functionStatements(days: readonly string[]): string[] {
  const newest = days.slice(-1);
  return [
    `CREATE OR REPLACE FUNCTION country_asn AS (ip, attribute) -> ${attributeSql(newest)}`,
    `CREATE OR REPLACE FUNCTION country_asn_on AS (ip, attribute, day) -> ${attributeSql(days)}`,
  ];
}

function attributeSql(days: readonly string[]): string {
  const numbers = {
    asn: byDay(days, asnSql),
    place: byDay(days, placeSql),
    exchange: byDay(days, (day) => numberSql("lan", day)),
  };
  const branches = Object.entries(attributes).map(([name, { of, dictionary }]) => {
    const value = `dictGetOrDefault('${dictionary}', '${name}', toUInt64(${numbers[of]}), '')`;
    return `attribute = '${name}', ${value}`;
  });
  const asn = `attribute = 'asn', replaceRegexpOne(toString(${numbers.asn}), '^0$', '')`;
  return `multiIf(${[asn, ...branches].join(", ")}, '')`;
}

/** The last day up to `day`, else the first. */
function byDay(days: readonly string[], sqlOf: (day: string) => string): string {
  const [first = "", ...later] = days;
  const branches = later.toReversed().map((from) => `day >= toDate(${textLiteral(from)}), ${sqlOf(from)}`);
  return later.length === 0 ? sqlOf(first) : `multiIf(${branches.join(", ")}, ${sqlOf(first)})`;
}

const key = "tuple(toIPv6(ip))";

function numberSql(kind: PrefixRow["kind"], day: string): string {
  return `dictGetOrDefault('${dictionaryName(kind, day)}', 'number', ${key}, toUInt32(0))`;
}

/** On an exchange's LAN the member's AS, else the origin AS, else that of the database. */
function asnSql(day: string): string {
  const [lan, member, origin, database] = (["lan", "member", "origin", "database"] as const).map((kind) =>
    numberSql(kind, day),
  );
  return `multiIf(${lan} != 0, ${member}, ${origin} != 0, ${origin}, ${database})`;
}

function placeSql(day: string): string {
  return `toUInt64(${placeIdOf(day, 0)}) + ${numberSql("place", day)}`;
}
