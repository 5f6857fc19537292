import { expect, test } from "bun:test";
import fc from "fast-check";
import { crossingsBetween, graphLayout, type LayeredGraph, type RankLink } from "./graph-layout.ts";

const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 6 });
const graphs: fc.Arbitrary<LayeredGraph> = sizes.chain((given) =>
  fc
    .tuple(
      ...given.map((size, rank) =>
        fc.array(
          fc.record({
            from: fc.integer({ min: 0, max: size - 1 }),
            to: fc.integer({ min: 0, max: (given[rank + 1] ?? 1) - 1 }),
            weight: fc.integer({ min: 1, max: 9 }),
          }),
          { maxLength: rank + 1 < given.length ? 14 : 0 },
        ),
      ),
    )
    .map((links) => ({ sizes: given, links })),
);

function pairsThatCross(links: readonly RankLink[], upper: Int32Array, lower: Int32Array): number {
  const ends = links.map(({ from, to }) => [upper[from] ?? 0, lower[to] ?? 0] as const);
  const pairs = ends.flatMap((a, i) => ends.slice(i + 1).map((b) => [a, b] as const));
  return pairs.filter(([[a, b], [c, d]]) => (a - c) * (b - d) < 0).length;
}

const inOrder = (size: number) => Int32Array.from({ length: size }, (_, i) => i);

test("crossings are the pairs of links that cross", () => {
  fc.assert(
    fc.property(graphs, ({ sizes: counts, links }) => {
      for (const [rank, own] of links.slice(0, -1).entries()) {
        const [upper, lower] = [inOrder(counts[rank] ?? 0), inOrder(counts[rank + 1] ?? 0)];
        expect(crossingsBetween(own, upper, lower)).toBe(pairsThatCross(own, upper, lower));
      }
    }),
  );
});

test("of any graph each rank has an order, a row between neighbours, and no more crossings than before", () => {
  fc.assert(
    fc.property(graphs, (graph) => {
      const { places, heights, crossings } = graphLayout(graph);
      const count = (order: readonly Int32Array[]) =>
        graph.links
          .slice(0, -1)
          .reduce(
            (sum, own, r) => sum + pairsThatCross(own, order[r] ?? inOrder(0), order[r + 1] ?? inOrder(0)),
            0,
          );
      expect(crossings).toBe(count(places));
      expect(crossings).toBeLessThanOrEqual(count(graph.sizes.map(inOrder)));
      for (const [rank, own] of places.entries()) {
        expect([...own].sort((a, b) => a - b)).toEqual([...inOrder(graph.sizes[rank] ?? 0)]);
        const rows = [...own.keys()]
          .sort((a, b) => (own[a] ?? 0) - (own[b] ?? 0))
          .map((i) => heights[rank]?.[i] ?? 0);
        for (const [i, row] of rows.slice(1).entries()) {
          expect(row - (rows[i] ?? 0)).toBeGreaterThan(1 - 1e-9);
        }
      }
      expect(Math.min(...heights.flatMap((rank) => [...rank]))).toBe(0);
    }),
  );
});

test("crossed branches are untangled, and a chain is straight", () => {
  const crossed = {
    sizes: [2, 2, 1, 1],
    links: [[link(0, 1), link(1, 0)], [link(0, 0), link(1, 0)], [link(0, 0)], []],
  };
  const { crossings, heights } = graphLayout(crossed);
  expect(crossings).toBe(0);
  expect(heights[3]?.[0]).toBeCloseTo(heights[2]?.[0] ?? -1, 1);
  expect(heights[2]?.[0]).toBeCloseTo(0.5, 1);
});

function link(from: number, to: number): RankLink {
  return { from, to, weight: 1 };
}
