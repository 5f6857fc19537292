/**
 * Networks behind this machine: the kernel's routes into a prefix that lead to other hosts. /proc/net/ipv6_route has
 * the routes of all tables and is world-readable: ten fields per line, of which we read the destination (32 hex
 * digits), its length (hex), flags (hex, linux/ipv6_route.h) and the device.
 */
import { type Address, formatAddress } from "../../../net/ip/address.ts";
import { formatPrefix, type Prefix, parsePrefix, prefixContains, prefixOf } from "../../../net/ip/prefix.ts";

export const routesFile = "/proc/net/ipv6_route";

const flags = { anycast: 0x10_0000, local: 0x8000_0000 } as const;
/** Addresses of this machine. Reject routes, such as blackholes, are at device lo. */
const here = flags.anycast + flags.local;
const hostBits = 128;

interface Route {
  readonly to: Prefix;
  readonly flags: number;
  readonly device: string;
}

/** `PREFIX (DEVICE)` of each route inside one of the prefixes that goes neither to this machine nor into the tunnel. */
export function downstreamRoutes(text: string, prefixes: readonly string[], tunnel: string): string[] {
  const routes = text.split("\n").flatMap((line) => routeOf(line));
  const isOwn = ({ flags: set }: Route) => hasAny(set, flags.local);
  const own = new Set(routes.filter(isOwn).map(({ to }) => formatAddress(to.base)));
  // For a /128 address the kernel adds a second route besides the local one.
  const isOwnAddress = ({ to }: Route) => to.length === hostBits && own.has(formatAddress(to.base));
  const leased = prefixes.flatMap((prefix) => parsePrefix(prefix) ?? []);
  return routes
    .filter((route) => !hasAny(route.flags, here) && !isOwnAddress(route))
    .filter(({ device }) => device !== tunnel && device !== "lo")
    .filter(({ to }) =>
      leased.some((prefix) => to.length >= prefix.length && prefixContains(prefix, to.base)),
    )
    .map(({ to, device }) => `${formatPrefix(to)} (${device})`);
}

function hasAny(set: number, wanted: number): boolean {
  return (set & wanted) !== 0;
}

/** Empty for a line without a route. */
function routeOf(line: string): Route[] {
  const fields = line.trim().split(/\s+/);
  const [destination = "", length = ""] = fields;
  const [set = "", device = ""] = fields.slice(8);
  if (!/^[0-9a-f]{32}$/.test(destination) || device === "") {
    return [];
  }
  const base: Address = Uint8Array.from(Buffer.from(destination, "hex"));
  const to = prefixOf(base, Number.parseInt(length, 16));
  return [{ to, flags: Number.parseInt(set, 16), device }];
}
