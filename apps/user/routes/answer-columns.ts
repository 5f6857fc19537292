/** The output of what a collector answers: a line for each path. */
import type { RouteAnswer } from "../../../lib/base/api/routes.ts";
import type { Column } from "../../../lib/base/terminal/rows-output.ts";
import { formatAsPath } from "../../../lib/net/bgp/as-path.ts";

export const answerColumns: readonly Column<RouteAnswer>[] = [
  { name: "prefix", head: "prefix", value: ({ prefix }) => prefix },
  { name: "router", head: "router", value: ({ router }) => router },
  { name: "peer", head: "peer", value: ({ peer }) => peer },
  { name: "peer_asn", head: "AS", align: "right", value: (route) => route.peer_asn },
  { name: "table", head: "table", value: ({ table }) => table },
  { name: "path_id", head: null, value: (route) => route.path_id },
  {
    name: "verdict",
    head: "verdict",
    value: ({ verdict }) => verdict,
    text: ({ verdict, is_stale }) => `${verdict ?? ""}${is_stale ? " (stale)" : ""}`.trim(),
  },
  { name: "reason", head: "reason", value: ({ reason }) => reason },
  { name: "rpki", head: null, value: ({ rpki }) => rpki },
  {
    name: "origin_validation",
    head: "RPKI",
    value: ({ origin_validation: validation }) => validation,
    text: rpkiWords,
  },
  {
    name: "as_path",
    head: "AS path",
    value: (route) => route.as_path,
    text: (route) => formatAsPath(route.as_path),
  },
  { name: "next_hop", head: "next hop", value: (route) => route.next_hop },
  { name: "origin", head: null, value: ({ origin }) => origin },
  { name: "multi_exit_disc", head: null, value: (route) => route.multi_exit_disc },
  { name: "local_preference", head: null, value: (route) => route.local_preference },
  {
    name: "communities",
    head: "communities",
    value: ({ communities }) => communities,
    text: ({ communities }) =>
      communities.map(({ value, meaning }) => (meaning === null ? value : `${value} (${meaning})`)).join(" "),
  },
  { name: "changed_at", head: "since", value: (route) => String(route.changed_at) },
  { name: "is_stale", head: null, value: (route) => route.is_stale },
];

/** VRPs in words: a table is narrow, CSV and JSON have all. */
const vrpsInWords = 3;

/** What the collector finds; without VRPs what the router says. */
export function rpkiWords(route: Pick<RouteAnswer, "origin_validation" | "rpki">): string {
  return route.origin_validation === null ? (route.rpki ?? "") : words(route.origin_validation);
}

/** `valid`, `not-found`, `invalid (length): AS64500 2001:db8::/32-40`. */
function words({
  state,
  cause,
  vrps,
  vrps_count: count,
}: NonNullable<RouteAnswer["origin_validation"]>): string {
  if (state !== "invalid") {
    return state;
  }
  const said = vrps
    .slice(0, vrpsInWords)
    .map(({ prefix, max_length: longest, asn }) => `AS${asn} ${prefix}${lengthsOf(prefix, longest)}`);
  const more = count > vrpsInWords ? [`${count - vrpsInWords} more`] : [];
  return `invalid (${cause}): ${[...said, ...more].join(", ")}`;
}

/** Empty where the length itself is the longest. */
function lengthsOf(prefix: string, longest: number): string {
  return prefix.endsWith(`/${longest}`) ? "" : `-${longest}`;
}
