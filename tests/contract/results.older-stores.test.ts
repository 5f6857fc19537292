/**
 * The contract of ResultSource on ClickHouse 24.8 and 25.8, by their address as servers: our SQL is fit for them.
 *
 * @tier long: engines of older versions, and the same suite as on the newest
 */
import { test } from "bun:test";
import { storeSource } from "../../lib/answers/results/store-source.ts";
import { migrate } from "../../lib/engines/store/clickhouse/migrate.ts";
import { addressContextsIn } from "../enrich/sample-sets.ts";
import { fillStore, type RawRows, runsOf } from "./results/raw-rows.ts";
import { resultsContract } from "./results/suite.ts";
import { hasOlderVersions, OlderStore, olderVersions } from "./store/older/older-store.ts";
import { sqlValues } from "./store/processes.ts";

const runs = runsOf(
  [1, 2, 3].map((digit) => "11111111-1111-4111-8111-111111111111".replaceAll("1", String(digit))),
);

for (const version of hasOlderVersions ? olderVersions : []) {
  const start = async (setsPath: string) => {
    const older = await OlderStore.start(version);
    await migrate(older.store, sqlValues);
    return {
      source: storeSource(older.store, addressContextsIn(setsPath)),
      measurement: "11111111-1111-4111-8111-111111111111",
      campaign: { filter: { runs }, runs },
      fill: (rows: RawRows) => fillStore(older.store, rows),
      [Symbol.asyncDispose]: () => older[Symbol.asyncDispose](),
    };
  };
  resultsContract(`ClickHouse ${version}`, start, { runs: 1, isWhole: false });
}

if (!hasOlderVersions) {
  test.skip("older versions of ClickHouse could not be had", () => {});
}
