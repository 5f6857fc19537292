/**
 * That the benches behind the capacity of docs/internals/benchmarks.md work, on so little that their figures mean
 * nothing.
 */
import { expect, test } from "bun:test";
import { BenchRun } from "./bench-run.ts";

interface Found {
  readonly subject: string;
  readonly value: number;
  readonly unit: string;
}

async function found(name: string, count: number): Promise<Found[]> {
  using bench = new BenchRun();
  const lines = await bench.figures(name, `--count=${count}`);
  const figures = lines.map((line): Found => JSON.parse(line));
  expect(figures.every(({ value }) => value > 0)).toBe(true);
  return figures;
}

test("disk: every probe and reply is stored, and each kind of it has its size", async () => {
  expect((await found("disk", 2000)).map(({ subject }) => subject)).toEqual([
    "embedded log, a probe",
    "embedded log, a reply, one a record",
    "embedded log, a reply, 100 a record",
    "column store, a probe",
    "column store, a reply",
  ]);
}, 60_000);

test("reports: every agent is let in, and heard", async () => {
  const figures = await found("reports", 1);
  expect(figures.map(({ unit }) => unit)).toEqual(["reports/s", "p99 ms", "MB"]);
}, 60_000);
