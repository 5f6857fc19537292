/**
 * That the bench of the console works, with a browser and with answers that arrive; its figures mean nothing here.
 *
 * @tier long: a bench that works changes seldom, and takes both cores
 */
import { afterAll, expect, test } from "bun:test";
import { BenchRun } from "../bench-run.ts";

const bench = new BenchRun();
afterAll(() => bench[Symbol.dispose]());

test("pictures are drawn and shown, and the page of a measurement follows answers as they arrive", async () => {
  const figures = (await bench.figures("console", "--count=1")).map((line) => JSON.parse(line));
  expect(figures.filter(({ unit }) => unit === "ms").length).toBe(11);
  expect(figures.filter(({ unit }) => unit === "MB of scripts").length).toBe(2);
  expect(figures.filter(({ unit }) => unit === "a second").length).toBe(3);
  expect(figures.every(({ value }) => value > 0)).toBe(true);
}, 120_000);
