/**
 * The layout of a layered graph: order of nodes within ranks, then heights. Pure.
 *
 * A trace provides the rank, which is the costly half of layering. The order is by barycentres of the neighbours,
 * weighted by flows, in sweeps down and up (Sugiyama, Tagawa, Toda 1981); the sweep with the fewest crossings is kept.
 * Crossings are inversions, counted with a Fenwick tree (Barth, Juenger, Mutzel 2002). Heights then follow the mean of
 * the neighbours as far as the order allows: isotonic regression, so that chains become straight.
 */

/** A link between two ranks: indexes within them. */
export interface RankLink {
  readonly from: number;
  readonly to: number;
  /** Flows. */
  readonly weight: number;
}

export interface LayeredGraph {
  /** Number of nodes of each rank. */
  readonly sizes: readonly number[];
  /** `links[r]` lead from rank r to rank r + 1. */
  readonly links: readonly (readonly RankLink[])[];
}

interface Layout {
  /** For each rank, the place of each node in it. */
  readonly places: readonly Int32Array[];
  /** In rows; neighbours in a rank are at least one row apart, the smallest is 0. */
  readonly heights: readonly Float64Array[];
  readonly crossings: number;
}

const sweeps = 4;
const straightenings = 12;

export function graphLayout(graph: LayeredGraph): Layout {
  const places = graph.sizes.map((size) => Int32Array.from({ length: size }, (_, i) => i));
  const sides = graph.sizes.map((_, rank) => ({
    above: neighbours(graph, rank, "above"),
    below: neighbours(graph, rank, "below"),
  }));
  let best = { places: places.map((rank) => rank.slice()), crossings: crossingsOf(graph, places) };
  for (let sweep = 0; sweep < 2 * sweeps && best.crossings > 0; sweep++) {
    const isDown = sweep % 2 === 0;
    for (let i = 1; i < places.length; i++) {
      const rank = isDown ? i : places.length - 1 - i;
      order(places, rank, isDown ? rank - 1 : rank + 1, sides[rank]?.[isDown ? "above" : "below"]);
    }
    const crossings = crossingsOf(graph, places);
    if (crossings < best.crossings) {
      best = { places: places.map((rank) => rank.slice()), crossings };
    }
  }
  return { ...best, heights: heightsOf(best.places, sides) };
}

/** Links of each node to one side, in one array: node i has those from `starts[i]` to `starts[i + 1]`. */
interface Neighbours {
  readonly starts: Int32Array;
  readonly others: Int32Array;
  readonly weights: Float64Array;
}

interface Sides {
  readonly above: Neighbours;
  readonly below: Neighbours;
}

function neighbours({ sizes, links }: LayeredGraph, rank: number, side: keyof Sides): Neighbours {
  const own = links[side === "above" ? rank - 1 : rank] ?? [];
  const ends = (link: RankLink) => (side === "above" ? [link.to, link.from] : [link.from, link.to]);
  const starts = new Int32Array((sizes[rank] ?? 0) + 1);
  for (const link of own) {
    const [node = 0] = ends(link);
    starts[node + 1] = (starts[node + 1] ?? 0) + 1;
  }
  for (let i = 1; i < starts.length; i++) {
    starts[i] = (starts[i] ?? 0) + (starts[i - 1] ?? 0);
  }
  const next = starts.slice();
  const others = new Int32Array(own.length);
  const weights = new Float64Array(own.length);
  for (const link of own) {
    const [node = 0, other = 0] = ends(link);
    const at = next[node] ?? 0;
    others[at] = other;
    weights[at] = link.weight;
    next[node] = at + 1;
  }
  return { starts, others, weights };
}

/** The weighted mean of the neighbours' values; `own` without any. */
function mean(node: number, { starts, others, weights }: Neighbours, values: ArrayLike<number>, own: number) {
  let [sum, weight] = [0, 0];
  for (let at = starts[node] ?? 0; at < (starts[node + 1] ?? 0); at++) {
    sum += (weights[at] ?? 0) * (values[others[at] ?? 0] ?? 0);
    weight += weights[at] ?? 0;
  }
  return weight === 0 ? own : sum / weight;
}

function order(
  places: readonly Int32Array[],
  rank: number,
  fixed: number,
  side: Neighbours | undefined,
): void {
  const [own, others] = [places[rank], places[fixed]];
  if (own === undefined || others === undefined || side === undefined) {
    return;
  }
  // Ranks differ in size, so places are compared relative to the rank's length.
  const scale = own.length / Math.max(1, others.length);
  const wanted = Float64Array.from(own, (place, node) => mean(node, side, others, place / scale));
  const sorted = Array.from(own, (_, node) => node).sort(
    (a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0) || (own[a] ?? 0) - (own[b] ?? 0),
  );
  for (const [place, node] of sorted.entries()) {
    own[node] = place;
  }
}

function crossingsOf({ links }: LayeredGraph, places: readonly Int32Array[]): number {
  return links.reduce((sum, own, rank) => sum + crossingsBetween(own, places[rank], places[rank + 1]), 0);
}

/** Pairs of links that cross: inversions of the lower ends, in the order of the upper ones. */
export function crossingsBetween(
  links: readonly RankLink[],
  upper: Int32Array | undefined,
  lower: Int32Array | undefined,
): number {
  if (upper === undefined || lower === undefined) {
    return 0;
  }
  const count = lower.length;
  const keys = Float64Array.from(
    links,
    ({ from, to }) => (upper[from] ?? 0) * count + (lower[to] ?? 0),
  ).sort();
  const tree = new Int32Array(count + 1);
  let crossings = 0;
  for (const [seen, key] of keys.entries()) {
    const place = key % count;
    let notBeyond = 0;
    for (let i = place + 1; i > 0; i -= i & -i) {
      notBeyond += tree[i] ?? 0;
    }
    crossings += seen - notBeyond;
    for (let i = place + 1; i <= count; i += i & -i) {
      tree[i] = (tree[i] ?? 0) + 1;
    }
  }
  return crossings;
}

function heightsOf(places: readonly Int32Array[], sides: readonly Sides[]): Float64Array[] {
  const widest = Math.max(1, ...places.map(({ length }) => length));
  // Small ranks begin in the middle.
  const heights = places.map((rank) =>
    Float64Array.from(rank, (place) => place + (widest - rank.length) / 2),
  );
  for (let round = 0; round < straightenings; round++) {
    const isDown = round % 2 === 0;
    for (let i = 0; i < places.length; i++) {
      const rank = isDown ? i : places.length - 1 - i;
      straighten(heights, rank, places[rank], sides[rank]);
    }
  }
  const lowest = heights.reduce(
    (low, rank) => rank.reduce((a, b) => Math.min(a, b), low),
    Number.POSITIVE_INFINITY,
  );
  return heights.map((rank) => rank.map((height) => height - lowest));
}

function straighten(
  heights: readonly Float64Array[],
  rank: number,
  places: Int32Array | undefined,
  sides: Sides | undefined,
): void {
  const own = heights[rank];
  if (own === undefined || places === undefined || sides === undefined) {
    return;
  }
  const [above, below] = [heights[rank - 1] ?? [], heights[rank + 1] ?? []];
  const inOrder = new Int32Array(own.length);
  for (const [node, place] of places.entries()) {
    inOrder[place] = node;
  }
  const wanted = Float64Array.from(inOrder, (node, place) => {
    const current = own[node] ?? 0;
    const upper = mean(node, sides.above, above, current);
    return (upper + mean(node, sides.below, below, above.length === 0 ? current : upper)) / 2 - place;
  });
  for (const [place, height] of isotonic(wanted).entries()) {
    own[inOrder[place] ?? 0] = height + place;
  }
}

/** Isotonic regression: the nearest values that never fall, by pooling adjacent violators. */
function isotonic(values: Float64Array): Float64Array {
  const pools: { sum: number; count: number }[] = [];
  for (const value of values) {
    let pool = { sum: value, count: 1 };
    for (let last = pools.at(-1); last !== undefined; last = pools.at(-1)) {
      if (last.sum / last.count <= pool.sum / pool.count) {
        break;
      }
      pools.pop();
      pool = { sum: last.sum + pool.sum, count: last.count + pool.count };
    }
    pools.push(pool);
  }
  const result = new Float64Array(values.length);
  let at = 0;
  for (const { sum, count } of pools) {
    result.fill(sum / count, at, at + count);
    at += count;
  }
  return result;
}
