/**
 * That `bench start` works, on so few starts that its figures mean nothing.
 *
 * @tier long: a bench that works changes seldom, and takes both cores
 */
import { afterAll, expect, test } from "bun:test";
import { BenchRun, comparisons } from "../bench-run.ts";

const bench = new BenchRun();
afterAll(() => bench[Symbol.dispose]());

test("start: the executable is built and started, and nothing stays behind", async () => {
  const figures = await bench.figures("start");
  expect(comparisons(figures, "start")).toContain("vantage --help / bun --version ms");
}, 60_000);
