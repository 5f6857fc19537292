/** That the bench of sizes works, on so few probes that its figures mean little. */
import { expect, test } from "bun:test";
import { BenchRun } from "./bench-run.ts";

test("disk: every probe and reply is stored, and each kind of it has its size", async () => {
  using bench = new BenchRun();
  const { stdout, stderr, exitCode, left } = await bench.run("disk", "--count", "2000", "--json");
  expect(exitCode, stderr).toBe(0);
  const found = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(found.map(({ subject }) => subject)).toEqual([
    "embedded log, a probe",
    "embedded log, a reply, one a record",
    "embedded log, a reply, 100 a record",
    "column store, a probe",
    "column store, a reply",
  ]);
  expect(found.every(({ value, unit }) => value > 0 && unit === "bytes")).toBe(true);
  expect(left).toEqual([]);
}, 60_000);
