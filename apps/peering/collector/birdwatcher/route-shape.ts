/** A route, and texts in it, as birdwatcher writes them. */
import type { AsPath } from "../../../../lib/net/bgp/as-path.ts";
import { type Address, formatAddress } from "../../../../lib/net/ip/address.ts";
import { formatPrefix } from "../../../../lib/net/ip/prefix.ts";
import { wordAt } from "../../../../lib/net/ip/words.ts";
import type { RouterRoute } from "./router-routes.ts";

/**
 * The gateway is the neighbour, by which Alice finds a neighbour's filtered routes: a router does not report the next
 * hop that it uses itself. AS_SETs have no form there: their members stand one after another.
 */
export function routeShape({ path: { prefix, peer, attributes, changedUs }, isPrimary }: RouterRoute) {
  const neighbor = formatAddress(peer.address);
  const { nextHop, localPreference, med, onlyToCustomer, origin } = attributes;
  return {
    network: formatPrefix(prefix),
    ...{ gateway: neighbor, learnt_from: neighbor, interface: "" },
    from_protocol: protocolName(peer.address),
    age: shortTime(Number(changedUs / 1000n)),
    ...{ primary: isPrimary, metric: localPreference ?? 100, type: ["BGP", "univ"] },
    bgp: {
      origin: origin === "INCOMPLETE" || origin === null ? "Incomplete" : origin,
      as_path: flat(attributes.asPath),
      next_hop: nextHop === null ? "" : formatAddress(nextHop),
      ...(localPreference === null ? {} : { local_pref: String(localPreference) }),
      ...(med === null ? {} : { med: String(med) }),
      ...(onlyToCustomer === null ? {} : { otc: String(onlyToCustomer) }),
      communities: attributes.communities,
      large_communities: attributes.largeCommunities,
      ext_communities: attributes.extendedCommunities.map(extendedShape),
    },
  };
}

/** Letters, digits and `_`, as BIRD's names: `bgp_2001_db8__9`. No two addresses have the same. */
export function protocolName(address: Address): string {
  return `bgp_${formatAddress(address).replaceAll(/[.:]/g, "_")}`;
}

/** `2026-11-23 11:00:05`, UTC. */
export function shortTime(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replace("T", " ");
}

function flat(path: AsPath): string[] {
  return path.flatMap((part) => (typeof part === "number" ? [part] : [...part])).map(String);
}

/** Kinds of RFC 4360 and RFC 5668 by their second byte. */
const extendedKinds: Readonly<Record<number, string>> = { 2: "rt", 3: "ro" };

/** `["rt", "64500", "7"]`; of kinds without a name `["generic", WORD, WORD]`, decimal: Alice reads numbers only. */
function extendedShape(hex: string): [kind: string, first: string, second: string] {
  const bytes = Uint8Array.fromHex(hex);
  const [type = 0, subtype = 0] = bytes;
  const kind = extendedKinds[subtype];
  const [first, last] = [wordAt(bytes, 0) >>> 0, wordAt(bytes, 4) >>> 0];
  if (kind !== undefined && (type & ~0x40) === 0) {
    return [kind, String(first & 0xffff), String(last)];
  }
  if (kind !== undefined && (type & ~0x40) === 2) {
    const asn = (((first & 0xffff) << 16) | (last >>> 16)) >>> 0;
    return [kind, String(asn), String(last & 0xffff)];
  }
  return ["generic", String(first), String(last)];
}
