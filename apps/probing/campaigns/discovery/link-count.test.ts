import { expect, test } from "bun:test";
import { DistinctCount, LinkCount } from "./link-count.ts";

test("up to 16,384 things are counted, of more their number is estimated to some percent", () => {
  for (const [things, share] of [
    [16_384, 0],
    [500_000, 0.04],
  ] as const) {
    const count = new DistinctCount();
    for (let i = 0; i < 2 * things; i++) {
      count.add(String(i % things));
    }
    expect(Math.abs(count.count / things - 1)).toBeLessThanOrEqual(share);
  }
});

test("links are between routers that answered one TTL after another, and not to the target", () => {
  const count = new LinkCount();
  const row = (ttl: number, router: string | null, dst = "d") => {
    const answers = router === null ? [] : ([[router, 0, ""]] as const);
    count.add({ dst, srcPort: 1, ttl, asked: 1, answers });
  };
  row(1, "a");
  row(2, "b");
  row(3, null);
  row(4, "c");
  row(5, "d");
  row(6, "a", "e");
  expect([count.links, count.nodes]).toEqual([1, 3]);
});
