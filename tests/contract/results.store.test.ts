/** The contract of ResultSource on a column store. */
import { storeSource } from "../../lib/results/store-source.ts";
import { booksIn } from "../enrich/sample-sets.ts";
import { StoreProcess } from "./client/store-with-paths.ts";
import { fillStore } from "./results/raw-rows.ts";
import { resultsContract } from "./results/suite.ts";

resultsContract("a column store", async (setsPath) => {
  const process = await StoreProcess.start();
  return {
    source: storeSource(process.store, booksIn(setsPath)),
    measurement: "11111111-1111-4111-8111-111111111111",
    fill: (rows) => fillStore(process.store, rows),
    [Symbol.asyncDispose]: () => process[Symbol.asyncDispose](),
  };
});
