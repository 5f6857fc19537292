/**
 * That the bench of context works, on so few prefixes and replies that its figures mean nothing.
 *
 * @tier long: a bench that works changes seldom, and takes both cores
 */
import { afterAll, expect, test } from "bun:test";
import { BenchRun, comparisons } from "../bench-run.ts";

const bench = new BenchRun();
afterAll(() => bench[Symbol.dispose]());

test("context: ours and others find the same origins; views are compared with themselves", async () => {
  const figures = await bench.figures("context", "--count=2000");
  const others = ["pyasn 1.6.2", "maxmind 5.0.7", "ClickHouse ip_trie"];
  const units = ["million look-ups/s a core", "s to load", "MB"];
  const views = ["replies", "paths"].flatMap((view) => ["ndjson", "csv"].map((form) => `${view}, ${form}`));
  expect(
    comparisons(
      figures.filter((line) => !/"unit":"(s to load|MB)"/.test(line)),
      "context",
    ),
  ).toEqual([
    ...others.map((other) => `vantage / ${other} ${units[0]}`),
    ...views.flatMap((view) =>
      ["s", "CPU s"].map((unit) => `${view} with context / ${view} ${unit} of ${view}`),
    ),
  ]);
}, 120_000);
