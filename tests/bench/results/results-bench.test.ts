/**
 * That the bench of results works, on so few replies that its figures mean nothing.
 *
 * @tier long: a bench that works changes seldom, and takes both cores
 */
import { afterAll, expect, test } from "bun:test";
import { BenchRun } from "../bench-run.ts";

const bench = new BenchRun();
afterAll(() => bench[Symbol.dispose]());

test("results: each view in each format is shown, and nothing stays behind", async () => {
  const found = await bench.figures("results", "--count=5000");
  const subjects = [
    "SQL",
    "first page",
    ...["table", "json", "ndjson", "csv"].map((form) => `whole, ${form}`),
  ];
  const expected = ["replies", "paths", "loss", "catchment"].flatMap((view) =>
    subjects.flatMap((subject) =>
      ["s", "CPU s", ...(subject === "SQL" ? [] : ["MB of the client"]), "MB of the store"].map(
        (unit) => `small ${view}, ${subject}: ${unit}`,
      ),
    ),
  );
  expected.push(...["s", "CPU s", "MB of the store"].map((unit) => `start of an ingester: ${unit}`));
  const figures = found.map((line) => JSON.parse(line) as { subject: string; unit: string; value: number });
  expect(figures.map(({ subject, unit }) => `${subject}: ${unit}`).toSorted()).toEqual(expected.toSorted());
  expect(figures.filter(({ value, unit }) => unit.startsWith("MB") && value <= 0)).toEqual([]);
}, 120_000);
