/** A path as the collector's HTTP shows it. */
import type { RouteAnswer } from "../../../lib/base/api/routes.ts";
import { communityMeaning, rpkiStateOf } from "../../../lib/net/bgp/community-words.ts";
import type { PathAttributes } from "../../../lib/net/bgp/path-attributes.ts";
import { formatAddress } from "../../../lib/net/ip/address.ts";
import { formatPrefix, type Prefix } from "../../../lib/net/ip/prefix.ts";
import type { LivePath } from "../../../lib/net/rib/live-path.ts";
import { originValidation } from "../../../lib/net/rpki/origin-validation.ts";
import type { VrpTable } from "../../../lib/net/rpki/vrp-table.ts";
import { vrpsShownMax } from "./limits.ts";

type StoredRoute = Omit<RouteAnswer, "changed_at"> & { readonly changed_at: Date };

/** `vrps`: what it is validated by; null = nothing is known. */
export function routeOf(path: LivePath, vrps: VrpTable | null): StoredRoute {
  const { prefix, router, peer, changedUs } = path;
  return {
    prefix: formatPrefix(prefix),
    router: formatAddress(router),
    peer: path.table === "local" ? null : formatAddress(peer.address),
    ...{ peer_asn: peer.asn, table: path.table, path_id: path.pathId },
    ...{ verdict: path.verdict, reason: path.reason },
    ...pathAnswer(path, vrps),
    changed_at: new Date(Number(changedUs / 1000n)),
    is_stale: path.isStale,
  };
}

interface ReceivedPath {
  readonly prefix: Prefix;
  readonly peer: { readonly asn: number };
  readonly attributes: PathAttributes;
}

/** The attributes of a path, and what `vrps` say of it; null = nothing is known. */
export function pathAnswer(path: ReceivedPath, vrps: VrpTable | null) {
  return {
    ...attributesAnswer(path.attributes),
    origin_validation: vrps === null ? null : validationOf(path, vrps),
  };
}

function validationOf(
  { prefix, peer, attributes: { asPath } }: ReceivedPath,
  vrps: VrpTable,
): StoredRoute["origin_validation"] {
  // A route of the router's own AS has no path; behind a set there is no origin (RFC 6811 s.2).
  const last = asPath.length === 0 ? peer.asn : asPath.at(-1);
  const origin = typeof last === "number" ? last : null;
  const { state, cause, covering } = originValidation(vrps.covering(prefix), { prefix, origin });
  const shown = covering.slice(0, vrpsShownMax).map((vrp) => ({
    ...{ prefix: formatPrefix(vrp.prefix), max_length: vrp.maxLength, asn: vrp.asn },
  }));
  return { state, cause, vrps: shown, vrps_count: covering.length };
}

function attributesAnswer(attributes: PathAttributes) {
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
