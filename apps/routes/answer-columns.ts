/** The output of what a collector answers: a line for each path. */
import type { RouteAnswer } from "../../lib/api/routes.ts";
import { formatAsPath } from "../../lib/bgp/as-path.ts";
import type { Column } from "../../lib/terminal/rows-output.ts";

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
  { name: "rpki", head: "RPKI", value: ({ rpki }) => rpki },
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
