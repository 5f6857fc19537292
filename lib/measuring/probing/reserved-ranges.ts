/**
 * Destinations that are not unicast hosts of the Internet: never probed unless the operator allows it, because they are
 * the agents' own networks, or a whole network at once.
 *
 * From the IANA special-purpose address registries (RFC 6890) and the multicast ranges; ranges that those registries
 * list as globally reachable (192.88.99.2, 2001:4:112::/48 and the like) are left out if they are probed in practice.
 * In IPv6, everything outside 2000::/3 is reserved: nothing else is allocated as global unicast (RFC 4291 s.2.4). An
 * address in 2002::/16 is checked by the IPv4 address inside (embedded-ipv4.ts).
 */
import { type Prefix, parsePrefix } from "../../net/ip/prefix.ts";

interface ReservedRange {
  readonly prefix: Prefix;
  /** Purpose of the range, and its source. */
  readonly reason: string;
}

const table: readonly (readonly [prefix: string, reason: string])[] = [
  ["0.0.0.0/8", "this network, RFC 791"],
  ["10.0.0.0/8", "private use, RFC 1918"],
  ["100.64.0.0/10", "shared address space, RFC 6598"],
  ["127.0.0.0/8", "loopback, RFC 1122"],
  ["169.254.0.0/16", "link-local, RFC 3927"],
  ["172.16.0.0/12", "private use, RFC 1918"],
  ["192.0.0.0/24", "protocol assignments, RFC 6890"],
  ["192.0.2.0/24", "documentation, RFC 5737"],
  ["192.168.0.0/16", "private use, RFC 1918"],
  ["198.18.0.0/15", "benchmarking, RFC 2544"],
  ["198.51.100.0/24", "documentation, RFC 5737"],
  ["203.0.113.0/24", "documentation, RFC 5737"],
  ["224.0.0.0/4", "multicast, RFC 5771"],
  ["240.0.0.0/4", "reserved and limited broadcast, RFC 1112 and 8190"],
  ["::/3", "not global unicast, RFC 4291"],
  ["4000::/2", "not global unicast, RFC 4291"],
  ["8000::/1", "not global unicast, RFC 4291"],
  ["::/96", "IPv4-compatible, RFC 4291"],
  ["::ffff:0:0:0/96", "IPv4-translated, RFC 2765"],
  ["::/128", "unspecified, RFC 4291"],
  ["::1/128", "loopback, RFC 4291"],
  ["64:ff9b::/96", "translation to IPv4, private addresses included, RFC 6052"],
  ["64:ff9b:1::/48", "local translation, RFC 8215"],
  ["100::/64", "discard only, RFC 6666"],
  ["2001::/32", "Teredo tunnels, RFC 4380"],
  ["2001:2::/48", "benchmarking, RFC 5180"],
  ["2001:10::/28", "overlay identifiers, RFC 4843"],
  ["2001:20::/28", "overlay identifiers, RFC 7343"],
  ["2001:db8::/32", "documentation, RFC 3849"],
  ["3fff::/20", "documentation, RFC 9637"],
  ["5f00::/16", "segment routing identifiers, RFC 9602"],
  ["fc00::/7", "unique local, RFC 4193"],
  ["fe80::/10", "link-local, RFC 4291"],
  ["fec0::/10", "site-local, RFC 3879"],
  ["ff00::/8", "multicast, RFC 4291"],
];

export const reservedRanges: readonly ReservedRange[] = table.map(([text, reason]) => {
  const prefix = parsePrefix(text);
  if (prefix === null) {
    throw new TypeError(`Cannot read the reserved range "${text}"`);
  }
  return { prefix, reason };
});
