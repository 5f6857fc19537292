import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { measured } from "./capacity-figures.ts";
import { capacityPage } from "./capacity-page.ts";
import { planFor } from "./capacity-plan.ts";

const figures = [
  "## Fast",
  "| | rows/s | MB |",
  "|---|---|---|",
  "| a | 1,200.5 (900 – 1,300) | 7 / 8 |",
  "",
  "| | s |",
  "|---|---|",
  "| b | 5 |",
  "## Slow",
  "| | rows/s |",
  "|---|---|",
  "| a | 3 |",
].join("\n");

test("docs/operate/capacity.md has the tables that docs/internals/benchmarks.md gives today", () => {
  expect(readFileSync(join(import.meta.dirname, "../../docs/operate/capacity.md"), "utf8")).toBe(
    capacityPage(),
  );
});

test("a figure is that of its heading, row, column and part", () => {
  expect(measured(figures, { heading: "Fast", row: "a", column: "rows/s" })).toBe(1200.5);
  expect(measured(figures, { heading: "Fast", row: "a", column: "MB", part: 1 })).toBe(8);
  expect(measured(figures, { heading: "Fast", row: "b", column: "s" })).toBe(5);
  expect(measured(figures, { heading: "Slow", row: "a", column: "rows/s" })).toBe(3);
});

test("a figure that is not there is an error that says which", () => {
  const place = { heading: "Slow", row: "a", column: "MB" };
  expect(() => measured(figures, place)).toThrow('the column of "Slow", row "a", column "MB"');
  expect(() => measured(figures, { ...place, row: "b" })).toThrow("Cannot find the row");
  expect(() => measured(figures, { ...place, heading: "None" })).toThrow("Cannot find the heading");
  expect(() => measured(figures, { ...place, heading: "Fast", part: 2 })).toThrow("Cannot find the number");
});

/** Half of the probes are answered: 10,000 probes a day at 200/s are 50 s, with 100 replies/s. */
const demand = {
  agents: 2,
  rateProbesPerSec: 100,
  repliesPerDay: 5000,
  keptDays: 10,
  replicas: 3,
  brokerDays: 2,
};
const parts = {
  repliesPerProbe: 0.5,
  brokerRepliesPerSec: 70,
  storeRowsPerSec: 40,
  logReplyBytes: 100,
  logProbeBytes: 10,
  storeReplyBytes: 20,
  storeProbeBytes: 1,
};

test("a plan by hand", () => {
  expect(planFor(demand, parts)).toEqual({
    probesPerDay: 10_000,
    peakProbesPerSec: 200,
    peakRepliesPerSec: 100,
    meanRepliesPerSec: 5000 / 86_400,
    burstSec: 50,
    waitingRows: 3000,
    catchUpSec: 75,
    storesToKeepUp: 3,
    brokers: 5,
    brokerBytes: 3_600_000,
    storeBytes: 1_100_000,
    agentReadBytesPerSec: { apart: 2000, shared: 1000 },
  });
});

test("rows that wait are what a second-by-second account leaves", () => {
  let waiting = 0;
  for (let second = 0; second < 50; second++) {
    waiting += 100 - 40;
  }
  let seconds = 0;
  for (; waiting > 0; seconds++) {
    waiting -= 40;
  }
  expect(planFor(demand, parts).catchUpSec).toBe(seconds);
});

test("a store that keeps up leaves nothing waiting, and each replica has a broker", () => {
  const plan = planFor(demand, { ...parts, storeRowsPerSec: 200, brokerRepliesPerSec: 1e6 });
  expect(plan).toMatchObject({ waitingRows: 0, catchUpSec: 0, storesToKeepUp: 1, brokers: 3 });
});
