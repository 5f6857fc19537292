/** A path as the collector's HTTP shows it. */
import type { RouteAnswer } from "../../lib/api/routes.ts";
import { communityMeaning, rpkiStateOf } from "../../lib/bgp/community-words.ts";
import type { PathAttributes } from "../../lib/bgp/path-attributes.ts";
import { formatAddress } from "../../lib/ip/address.ts";
import { formatPrefix } from "../../lib/ip/prefix.ts";
import type { LivePath } from "../../lib/rib/live-path.ts";

type Answer = Omit<RouteAnswer, "changed_at"> & { readonly changed_at: Date };

export function routeOf({ prefix, router, peer, attributes, changedUs, ...path }: LivePath): Answer {
  return {
    prefix: formatPrefix(prefix),
    router: formatAddress(router),
    peer: path.table === "local" ? null : formatAddress(peer.address),
    ...{ peer_asn: peer.asn, table: path.table, path_id: path.pathId },
    ...{ verdict: path.verdict, reason: path.reason },
    ...attributesAnswer(attributes),
    changed_at: new Date(Number(changedUs / 1000n)),
    is_stale: path.isStale,
  };
}

export function attributesAnswer(attributes: PathAttributes) {
  const { communities, largeCommunities, extendedCommunities, nextHop } = attributes;
  const values = [...communities, ...largeCommunities].map((parts) => parts.join(":"));
  return {
    rpki: rpkiStateOf(extendedCommunities),
    as_path: attributes.asPath.map((one) => (typeof one === "number" ? one : [...one])),
    next_hop: nextHop === null ? null : formatAddress(nextHop),
    ...{ origin: attributes.origin, multi_exit_disc: attributes.med },
    local_preference: attributes.localPreference,
    communities: values.map((value) => ({ value, meaning: communityMeaning(value) })),
  };
}
