/** A path as the collector's HTTP shows it. */
import type { RouteAnswer } from "../../lib/api/routes.ts";
import { communityMeaning, rpkiStateOf } from "../../lib/bgp/community-words.ts";
import type { PathAttributes } from "../../lib/bgp/path-attributes.ts";
import { formatAddress } from "../../lib/ip/address.ts";
import { formatPrefix, type Prefix } from "../../lib/ip/prefix.ts";
import type { LivePath } from "../../lib/rib/live-path.ts";
import { originValidation } from "../../lib/rpki/origin-validation.ts";
import type { VrpTable } from "../../lib/rpki/vrp-table.ts";
import { vrpsShownMax } from "./limits.ts";

type Answer = Omit<RouteAnswer, "changed_at"> & { readonly changed_at: Date };

/** `vrps`: what it is validated by; null = nothing is known. */
export function routeOf(path: LivePath, vrps: VrpTable | null): Answer {
  const { prefix, router, peer, attributes, changedUs } = path;
  return {
    prefix: formatPrefix(prefix),
    router: formatAddress(router),
    peer: path.table === "local" ? null : formatAddress(peer.address),
    ...{ peer_asn: peer.asn, table: path.table, path_id: path.pathId },
    ...{ verdict: path.verdict, reason: path.reason },
    ...attributesAnswer(attributes),
    origin_validation: validationOf({ prefix, peerAsn: peer.asn, asPath: attributes.asPath }, vrps),
    changed_at: new Date(Number(changedUs / 1000n)),
    is_stale: path.isStale,
  };
}

interface Originated extends Pick<PathAttributes, "asPath"> {
  readonly prefix: Prefix;
  readonly peerAsn: number;
}

/** Null without VRPs. */
export function validationOf(
  { prefix, peerAsn, asPath }: Originated,
  vrps: VrpTable | null,
): Answer["origin_validation"] {
  if (vrps === null) {
    return null;
  }
  // A route of the router's own AS has no path; behind a set nobody is the origin (RFC 6811 s.2).
  const last = asPath.length === 0 ? peerAsn : asPath.at(-1);
  const origin = typeof last === "number" ? last : null;
  const { state, cause, covering } = originValidation(vrps.covering(prefix), { prefix, origin });
  const shown = covering.slice(0, vrpsShownMax).map((vrp) => ({
    ...{ prefix: formatPrefix(vrp.prefix), max_length: vrp.maxLength, asn: vrp.asn },
  }));
  return { state, cause, vrps: shown, vrps_count: covering.length };
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
