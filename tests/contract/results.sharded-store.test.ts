/**
 * The contract of ResultSource on the front of a cluster whose two shards have half of the rows each.
 *
 * @tier long: two shards, and the same suite as on one store
 */
import { test } from "bun:test";
import { storeSource } from "../../lib/answers/results/store-source.ts";
import { addressContextsIn } from "../enrich/sample-sets.ts";
import { fillStore, runsOf } from "./results/raw-rows.ts";
import { resultsContract } from "./results/suite.ts";
import { hasOlderVersions } from "./store/older/older-store.ts";
import { startTwoShards, wholeDatabase } from "./store/older/two-shards.ts";

const runs = runsOf(
  [1, 2, 3].map((digit) => "11111111-1111-4111-8111-111111111111".replaceAll("1", String(digit))),
);

if (hasOlderVersions) {
  const start = async (setsPath: string) => {
    const front = await startTwoShards();
    return {
      source: storeSource(front.store, addressContextsIn(setsPath)),
      measurement: "11111111-1111-4111-8111-111111111111",
      campaign: { filter: { runs }, runs },
      fill: (rows: Parameters<typeof fillStore>[1]) => fillStore(front.store, rows, wholeDatabase),
      [Symbol.asyncDispose]: () => front[Symbol.asyncDispose](),
    };
  };
  resultsContract("the front of two shards", start, { runs: 1, isWhole: false });
} else {
  test.skip("ClickHouse 25.8 could not be had", () => {});
}
