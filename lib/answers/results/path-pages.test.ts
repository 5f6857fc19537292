/** AS paths are added while others are served, whatever the number of flows. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { addressContextsIn, SampleSets } from "../../../tests/enrich/sample-sets.ts";
import { pathPages } from "./path-pages.ts";

let sets: SampleSets;
beforeAll(async () => {
  sets = new SampleSets();
  await sets.put("2026-11-20", 64_501);
});
afterAll(() => sets[Symbol.dispose]());

/** A path of so many flows, whose hops are of two routers each. */
function wideRow(flows: number): string {
  const key = "2026-11-22 198.51.100.1";
  const indexes = Array.from({ length: flows }, (_, i) => i);
  const hop = (ttl: number) => ({
    ttl,
    routers: [0, 1].map((odd) => ({
      address: `198.51.100.${2 * ttl + odd}`,
      flows: indexes.filter((i) => i % 2 === odd),
      context_key: key,
    })),
  });
  return `${JSON.stringify({ address: "203.0.113.9", flows: indexes, hops: [1, 2, 3, 4].map(hop) })}\n`;
}

test("others are served while a path of 20,000 flows gets its AS paths", async () => {
  const page = { bytes: Buffer.from(wideRow(20_000)), rows: 1 };
  let served = 0;
  let isOver = false;
  const serve = () => {
    served++;
    isOver || setImmediate(serve);
  };
  const one = async function* () {
    yield page;
  };
  const begun = pathPages(one(), addressContextsIn(sets.path)(["path"])).next();
  setImmediate(serve);
  const { value } = await begun;
  isOver = true;
  expect(served).toBeGreaterThan(2);
  const row = JSON.parse(Buffer.from(value?.bytes ?? []).toString()) as { as_paths: { flows: number[] }[] };
  expect(row.as_paths.flatMap(({ flows }) => flows)).toHaveLength(20_000);
});
