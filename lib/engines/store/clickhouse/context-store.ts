/**
 * Loads a set of context into the column store, so that SQL can look up the AS and the place of an address.
 */

import type { NetworkRow } from "../../../measuring/context/network-rows.ts";
import type { SetLists } from "../../../measuring/context/set-files.ts";
import type { PrefixRow } from "../../../measuring/context/set-rows.ts";
import { rowKinds } from "../../../measuring/context/set-rows.ts";
import {
  dictionaryName,
  dictionaryStatements,
  functionStatements,
  nameDictionaryStatements,
  networkDictionaryStatements,
  placeIdOf,
} from "./context-functions.ts";
import type { ColumnStore } from "./open.ts";
import { storeErrorOf } from "./rows.ts";

/**
 * Results are kept for 7 days, and a set may be a day old. A day in use takes 100 MB for each million
 * prefixes.
 */
export const contextDaysMax = 8;

/** Columns of each table after `day`; the sort order. */
const tables = {
  prefixes: ["kind LowCardinality(String), prefix String, number UInt32", "kind, prefix"],
  places: [
    "id UInt64, country String, country_name String, continent String, continent_name String, city String",
    "id",
  ],
  as_names: ["asn UInt32, as_name String, as_domain String", "asn"],
  exchanges: ["id UInt32, name String", "id"],
  networks: ["prefix String, pointer UInt64", "prefix"],
  network_values: ["pointer UInt64, asn UInt32, place UInt64", "pointer"],
} as const;

type Row = readonly (string | number)[];

interface ContextSetRows {
  /** As `2026-11-22`. */
  readonly day: string;
  readonly prefixes: Iterable<PrefixRow>;
  readonly networks: Iterable<NetworkRow>;
  readonly lists: SetLists;
}

/** Rows of one insert: some 5 MB. */
const rowsEach = 100_000;

/**
 * Replaces the whole set of its day; removes days before the last `daysMax`.
 *
 * @returns the loaded days, oldest first; without `day` where its set is empty, or older than all of them
 * @throws Failure `store`; then the previous sets remain active
 */
export async function loadContext(
  store: ColumnStore,
  { day, prefixes, networks, lists }: ContextSetRows,
  daysMax = contextDaysMax,
): Promise<string[]> {
  const command = (query: string) => run(store, query);
  await makeTables(command);
  const names = lists.asNames.map(([asn, { name, domain }]): Row => [day, asn, name, domain ?? ""]);
  const exchanges = lists.exchanges.map(({ id, name }): Row => [day, id, name]);
  const pointers = new Map<string, Row>();
  const rows = {
    networks: await fill(store, "networks", networkRowsOf(day, networks, pointers)),
    network_values: await fill(store, "network_values", pointers.values()),
    prefixes: await fill(store, "prefixes", prefixRowsOf(day, prefixes)),
    places: await fill(store, "places", placeRowsOf(day, lists)),
    as_names: await fill(store, "as_names", names),
    exchanges: await fill(store, "exchanges", exchanges),
  };
  for (const [table, count] of Object.entries(rows)) {
    // An empty partition cannot replace another.
    const change =
      count === 0 ? `DROP PARTITION '${day}'` : `REPLACE PARTITION '${day}' FROM context.${table}_new`;
    await command(`ALTER TABLE context.${table} ${change}`);
    await command(`TRUNCATE TABLE context.${table}_new`);
  }
  const days = await loadedDays(store);
  const kept = days.slice(-daysMax);
  if (!kept.includes(day)) {
    await removeDays(command, days.slice(0, -daysMax));
    return kept;
  }
  const newest = kept.at(-1) ?? day;
  const made = [
    ...dictionaryStatements(day),
    ...nameDictionaryStatements(newest),
    ...networkDictionaryStatements(newest),
  ];
  for (const statement of [...made, ...functionStatements(kept)]) {
    await command(statement);
  }
  await removeDays(command, days.slice(0, -daysMax));
  return kept;
}

async function makeTables(command: (query: string) => Promise<void>): Promise<void> {
  await command("CREATE DATABASE IF NOT EXISTS context");
  await command("CREATE DATABASE IF NOT EXISTS ipinfo");
  for (const [table, [columns, order]] of Object.entries(tables)) {
    for (const name of [table, `${table}_new`]) {
      await command(
        `CREATE TABLE IF NOT EXISTS context.${name} (day Date, ${columns})
        ENGINE = MergeTree PARTITION BY day ORDER BY (day, ${order})`,
      );
    }
    await command(`TRUNCATE TABLE context.${table}_new`);
  }
}

function* prefixRowsOf(day: string, prefixes: Iterable<PrefixRow>): Generator<Row> {
  for (const { kind, prefix, number } of prefixes) {
    yield [day, kind, prefix, number];
  }
}

/** Networks with the same AS and place point to one row of `pointers`. */
function* networkRowsOf(
  day: string,
  networks: Iterable<NetworkRow>,
  pointers: Map<string, Row>,
): Generator<Row> {
  for (const { prefix, asn, place } of networks) {
    const key = `${asn} ${place}`;
    if (!pointers.has(key)) {
      const placeId = place === 0 ? "0" : String(placeIdOf(day, place));
      pointers.set(key, [day, pointers.size + 1, asn, placeId]);
    }
    yield [day, prefix, Number(pointers.get(key)?.[1])];
  }
}

function* placeRowsOf(day: string, { places }: SetLists): Generator<Row> {
  for (const [i, place] of places.entries()) {
    const { country, countryName, continent, continentName, city } = place;
    const texts = [country, countryName, continent, continentName, city].map((text) => text ?? "");
    yield [day, String(placeIdOf(day, i + 1)), ...texts];
  }
}

/** Returns the number of rows. */
async function fill(store: ColumnStore, table: keyof typeof tables, rows: Iterable<Row>): Promise<number> {
  let count = 0;
  let batch: Row[] = [];
  const insert = async () => {
    if (batch.length > 0) {
      const values = batch;
      batch = [];
      await store.client.insert({ table: `context.${table}_new`, values, format: "JSONCompactEachRow" });
    }
  };
  try {
    for (const row of rows) {
      batch.push(row);
      count++;
      if (batch.length === rowsEach) {
        await insert();
      }
    }
    await insert();
    return count;
  } catch (cause) {
    throw storeErrorOf(cause, store.address);
  }
}

async function loadedDays({ client }: ColumnStore): Promise<string[]> {
  const result = await client.query({
    query: `SELECT DISTINCT partition AS day FROM system.parts
      WHERE database = 'context' AND table = 'prefixes' AND active ORDER BY day`,
    format: "JSONEachRow",
  });
  return (await result.json<{ day: string }>()).map(({ day }) => day);
}

async function removeDays(command: (query: string) => Promise<void>, days: readonly string[]): Promise<void> {
  for (const day of days) {
    for (const kind of rowKinds) {
      await command(`DROP DICTIONARY IF EXISTS ${dictionaryName(kind, day)}`);
    }
    for (const table of Object.keys(tables)) {
      await command(`ALTER TABLE context.${table} DROP PARTITION '${day}'`);
    }
  }
}

async function run({ client, address }: ColumnStore, query: string): Promise<void> {
  try {
    await client.command({ query });
  } catch (cause) {
    throw storeErrorOf(cause, address);
  }
}
