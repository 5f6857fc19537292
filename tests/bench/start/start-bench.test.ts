/** That `bench start` works, on so few starts that its figures mean nothing. */
import { afterAll, expect, test } from "bun:test";
import { BenchRun, comparisons } from "../bench-run.ts";

const bench = new BenchRun();
afterAll(() => bench[Symbol.dispose]());

test("start: the executable is built and started, and nothing stays behind", async () => {
  const { stdout, stderr, exitCode, left } = await bench.run("start", "--rounds", "1", "--json");
  expect(exitCode, stderr).toBe(0);
  expect(comparisons(stdout, "start")).toContain("vantage --help / bun --version ms");
  expect(left).toEqual([]);
}, 60_000);
