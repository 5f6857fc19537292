/**
 * That the bench of aims works, in Internets so small that its figures mean nothing.
 *
 * @tier long: a bench that works changes seldom
 */
import { afterAll, expect, test } from "bun:test";
import { BenchRun } from "../bench-run.ts";

const bench = new BenchRun();
afterAll(() => bench[Symbol.dispose]());

test("aim: forecasts and goals of each subject have figures", async () => {
  const found = (await bench.figures("aim", "--count=100")).map((line) => JSON.parse(line));
  const right = found.filter(({ unit }) => unit === "% right: both");
  expect(right.map(({ subject }) => subject)).toEqual([
    ...["5 sites, paths and catchments", "5 sites, catchments alone"],
  ]);
  for (const { value } of right) {
    expect(value).toBeWithin(50, 100.001);
  }
}, 120_000);
