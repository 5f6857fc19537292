/** The contract of ResultSource on a column store. */
import { storeSource } from "../../lib/answers/results/store-source.ts";
import { addressContextsIn } from "../enrich/sample-sets.ts";
import { isLongRun } from "../run/tier.ts";
import { StoreProcess } from "./client/store-with-paths.ts";
import { fillStore, runsOf } from "./results/raw-rows.ts";
import { resultsContract } from "./results/suite.ts";

const runs = runsOf(
  [1, 2, 3].map((digit) => "11111111-1111-4111-8111-111111111111".replaceAll("1", String(digit))),
);

resultsContract(
  "a column store",
  async (setsPath) => {
    const process = await StoreProcess.start();
    return {
      source: storeSource(process.store, addressContextsIn(setsPath)),
      measurement: "11111111-1111-4111-8111-111111111111",
      campaign: { filter: { runs }, runs },
      fill: (rows) => fillStore(process.store, rows),
      [Symbol.asyncDispose]: () => process[Symbol.asyncDispose](),
    };
  },
  // The gateway's pages are the store's (results.gateway.test.ts).
  { hasPages: isLongRun },
);
