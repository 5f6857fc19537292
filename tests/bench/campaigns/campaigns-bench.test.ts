/**
 * That `bench campaigns` works, on so few campaigns that its figures mean nothing.
 *
 * @tier long: a bench that works changes seldom, and takes both cores
 */
import { afterAll, expect, test } from "bun:test";
import { BenchRun } from "../bench-run.ts";

const bench = new BenchRun();
afterAll(() => bench[Symbol.dispose]());

test("campaigns: each run comes once and is timed, detectors look at series, and nothing stays behind", async () => {
  const lines = (await bench.figures("campaigns", "--count=50")).map((line) => JSON.parse(line));
  const units = lines.map(({ subject, unit }) => `${subject} ${unit}`);
  expect(units).toContain("vantage late ms p99");
  expect(units).toContain("vantage detectors traces/CPU min");
  expect(lines.every(({ value }) => Number.isFinite(value))).toBe(true);
}, 60_000);
