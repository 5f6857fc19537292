/** What is drawn by tests and by the bench: small paths by hand, large ones by number, bins. */
import type { HeatBin } from "../../lib/measuring/pictures/charts/heat-picture.ts";
import type { PicturedPath, PicturedRouter } from "../../lib/measuring/pictures/path/picture-path.ts";

export function router(address: string | null, flows: readonly number[], more: Partial<PicturedRouter> = {}) {
  const probes = 3 * flows.length;
  return {
    ...{ address, name: null, flows, probes, answered: address === null ? 0 : probes },
    ...{ rtt_median_ms: address === null ? null : 1.5, mpls_labels: [], says: "", ...more },
  };
}

export function path(...hops: readonly (readonly PicturedRouter[])[]): PicturedPath {
  const target = hops.at(-1)?.[0]?.address ?? "203.0.113.9";
  return {
    ...{ agent: "west", address: target, reached: true },
    hops: hops.map((routers, i) => ({ ttl: i + 1, routers })),
  };
}

/** So many routers at each of so many TTLs, whose flows part and meet again at each, one target behind them. */
export function meshedPath(ttls: number, routersOfTtl: number, flows: number): PicturedPath {
  const all = Array.from({ length: flows }, (_, flow) => flow);
  const hops = Array.from({ length: ttls }, (_, hop) => {
    const place = (flow: number) =>
      hop % 2 === 0 ? flow % routersOfTtl : Math.floor((flow * routersOfTtl) / flows);
    return [...Map.groupBy(all, place)].map(([at, own]) => router(`10.${hop}.${at >> 8}.${at & 255}`, own));
  });
  return path(...hops, [router("203.0.113.9", all)]);
}

/** By number of links: as large as a path, a measurement, a campaign. */
export const meshes: Readonly<Record<string, PicturedPath>> = {
  "49 links": meshedPath(6, 7, 7),
  "480 links": meshedPath(11, 10, 46),
  "2080 links": meshedPath(26, 40, 80),
};

/** Bins of a heat map as full as they come: all 97 buckets that 16 bits have, in each of so many bins. */
export function someBins(count: number): readonly HeatBin[] {
  const edges = Array.from({ length: 97 }, (_, k) => 10 ** (k / 20 - 1));
  return Array.from({ length: count }, (_, i) => ({
    time: new Date(Date.UTC(2026, 0, 31) + 60_000 * i).toISOString(),
    ...{ width_ms: 60_000, replies: 97, rtt_p5_ms: 0.2, rtt_median_ms: 10 + (i % 7), rtt_p95_ms: 900 },
    buckets: edges.slice(0, -1).map((from, k) => ({
      ...{ rtt_from_ms: from, rtt_to_ms: edges[k + 1] ?? from, replies: 1 + ((i * k) % 50) },
    })),
  }));
}
