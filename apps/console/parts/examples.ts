/** Pictures of made-up results, with addresses and AS numbers for documentation (RFC 5737, RFC 5398). */
import { roundsPicture } from "../../../lib/measuring/pictures/charts/rounds-picture.ts";
import { type SeriesRow, seriesPicture } from "../../../lib/measuring/pictures/charts/series-picture.ts";
import { linkPicture } from "../../../lib/measuring/pictures/links/link-picture.ts";
import type { Picture } from "../../../lib/measuring/pictures/look.ts";
import { pathPicture } from "../../../lib/measuring/pictures/path/path-picture.ts";

/** By TTL, the last bytes of the routers' addresses; the flows are shared out evenly. */
const hops = [[1], [11, 12], [21, 22], [31], [9]] as const;
const flows = [0, 1, 2, 3, 4, 5, 6, 7];

function addressOf(ttl: number, last: number): string {
  return ttl === hops.length ? `203.0.113.${last}` : `198.51.100.${last}`;
}

export function examplePath(): Picture {
  const path = {
    ...{ agent: "west", address: "203.0.113.9", reached: true },
    hops: hops.map((routers, i) => ({
      ttl: i + 1,
      routers: routers.map((last, at) => {
        const own = flows.filter((flow) => flow % routers.length === at);
        const answered = { probes: own.length, answered: own.length, rtt_median_ms: 4 * i + 0.8 };
        const asn = i < 2 ? 64_500 : 64_501;
        return {
          address: addressOf(i + 1, last),
          name: null,
          flows: own,
          ...answered,
          mpls_labels: [],
          says: "",
          asn,
        };
      }),
    })),
  };
  return pathPicture([path]);
}

export function exampleLinks(): Picture {
  const nodes = hops.flatMap((routers, i) =>
    routers.map((last) => ({
      ...{ id: `${i + 1}/${last}`, ttl: i + 1, address: addressOf(i + 1, last), flows: 8 / routers.length },
      ...{ rtt_median_ms: 4 * i + 0.8, asn: i < 2 ? 64_500 : 64_501, is_destination: i === hops.length - 1 },
    })),
  );
  const links = nodes.flatMap((from) =>
    nodes
      .filter(({ ttl }) => ttl === from.ttl + 1)
      .map((to) => ({ from: from.id, to: to.id, flows: Math.min(from.flows, to.flows) })),
  );
  return linkPicture({ nodes, links, is_cut: false });
}

export function exampleSeries(): Picture {
  const runs = Array.from({ length: 48 }, (_, run): SeriesRow => {
    // A day with a slow evening, and one run that lost something.
    const medianMs = Math.round(10 * (20 + 6 * Math.max(0, Math.sin((run - 20) / 6)))) / 10;
    const loss = run === 30 ? { low: 8, at: 25, high: 56 } : { low: 0, at: 0, high: 11 };
    return {
      ...{ run, planned_at: new Date(Date.UTC(2026, 0, 31, 0, 30 * run)).toISOString() },
      ...{ agent: "west", destination: "203.0.113.9", submitted: 8, loss_percent: loss.at },
      ...{ loss_low_percent: loss.low, loss_high_percent: loss.high },
      ...{ rtt_p10_ms: medianMs - 1, rtt_median_ms: medianMs, rtt_p90_ms: medianMs + 3 },
    };
  });
  return seriesPicture(runs);
}

export function exampleRounds(): Picture {
  const rounds = [
    ["west, east", 62, 38],
    ["west +2, east", 20, 80],
    ["east", 0, 100],
  ] as const;
  return roundsPicture(
    rounds.flatMap(([announced, west, east], round) => [
      { round, announced, site: "west", targets: west, moved_here: null },
      { round, announced, site: "east", targets: east, moved_here: null },
    ]),
  );
}
