/** That the benches behind docs/operate/capacity.md work, on so little that their figures mean nothing. */
import { expect, test } from "bun:test";
import { BenchRun } from "./bench-run.ts";

interface Found {
  readonly subject: string;
  readonly value: number;
  readonly unit: string;
}

async function found(...args: string[]): Promise<Found[]> {
  using bench = new BenchRun();
  const { stdout, stderr, exitCode, left } = await bench.run(...args, "--json");
  expect(exitCode, stderr).toBe(0);
  expect(left).toEqual([]);
  const figures = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Found);
  expect(figures.every(({ value }) => value > 0)).toBe(true);
  return figures;
}

test("disk: every probe and reply is stored, and each kind of it has its size", async () => {
  expect((await found("disk", "--count", "2000")).map(({ subject }) => subject)).toEqual([
    "embedded log, a probe",
    "embedded log, a reply, one a record",
    "embedded log, a reply, 100 a record",
    "column store, a probe",
    "column store, a reply",
  ]);
}, 60_000);

test("reports: every agent is let in, and heard", async () => {
  const figures = await found("reports", "--count", "1", "--rounds", "1");
  expect(figures.map(({ unit }) => unit)).toEqual(["reports/s", "p99 ms", "MB"]);
}, 60_000);
