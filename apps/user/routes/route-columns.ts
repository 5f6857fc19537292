/** The output of `vantage routes`: events of monitored sessions, a line for each prefix or session. */
import type { Column } from "../../../lib/base/terminal/rows-output.ts";
import { formatAsPath } from "../../../lib/net/bgp/as-path.ts";
import type { RouteEvent } from "../../../lib/net/bgp/route-event.ts";
import { type Address, formatAddress } from "../../../lib/net/ip/address.ts";
import { formatPrefix } from "../../../lib/net/ip/prefix.ts";

export const routeColumns: readonly Column<RouteEvent>[] = [
  { name: "time", head: "time", value: ({ timeUs }) => (timeUs === null ? null : timeText(timeUs)) },
  { name: "table", head: "table", value: ({ peer }) => peer.table },
  { name: "peer_addr", head: "peer", value: ({ peer }) => formatAddress(peer.address) },
  { name: "peer_asn", head: "AS", value: ({ peer }) => peer.asn, align: "right" },
  { name: "peer_bgp_id", head: null, value: ({ peer }) => peer.routerId },
  { name: "event", head: "event", value: ({ kind }) => kind },
  { name: "prefix", head: "prefix", value: ({ route }) => route && formatPrefix(route.prefix) },
  { name: "path_id", head: null, value: ({ route }) => route?.pathId ?? null },
  {
    name: "as_path",
    head: "AS path",
    value: ({ attributes }) => attributes.asPath,
    text: ({ attributes }) => formatAsPath(attributes.asPath),
  },
  { name: "next_hop", head: "next hop", value: ({ attributes }) => addressText(attributes.nextHop) },
  { name: "origin", head: "origin", value: ({ attributes }) => attributes.origin },
  { name: "multi_exit_disc", head: null, value: ({ attributes }) => attributes.med },
  { name: "local_preference", head: null, value: ({ attributes }) => attributes.localPreference },
  { name: "only_to_customer", head: null, value: ({ attributes }) => attributes.onlyToCustomer },
  { name: "atomic_aggregate", head: null, value: ({ attributes }) => attributes.isAtomicAggregate },
  { name: "aggregator_asn", head: null, value: ({ attributes }) => attributes.aggregator?.asn ?? null },
  {
    name: "aggregator_addr",
    head: null,
    value: ({ attributes }) => addressText(attributes.aggregator?.address ?? null),
  },
  {
    name: "communities",
    head: "communities",
    value: ({ attributes }) => attributes.communities,
    text: ({ attributes }) => joined(attributes.communities),
  },
  {
    name: "large_communities",
    head: null,
    value: ({ attributes }) => attributes.largeCommunities,
    text: ({ attributes }) => joined(attributes.largeCommunities),
  },
  {
    name: "extended_communities",
    head: null,
    value: ({ attributes }) => attributes.extendedCommunities,
    text: ({ attributes }) => attributes.extendedCommunities.join(" "),
  },
  { name: "originator_id", head: null, value: ({ attributes }) => addressText(attributes.originatorId) },
  {
    name: "cluster_list",
    head: null,
    value: ({ attributes }) => attributes.clusterList.map(formatAddress),
    text: ({ attributes }) => attributes.clusterList.map(formatAddress).join(" "),
  },
];

/** RFC 3339, in UTC, with microseconds. */
function timeText(timeUs: bigint): string {
  const seconds = new Date(Number(timeUs / 1000n)).toISOString().slice(0, 19);
  return `${seconds}.${String(timeUs % 1_000_000n).padStart(6, "0")}Z`;
}

function addressText(address: Address | null): string | null {
  return address && formatAddress(address);
}

function joined(communities: readonly (readonly number[])[]): string {
  return communities.map((parts) => parts.join(":")).join(" ");
}
