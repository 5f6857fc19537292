/** The probers of the configuration on this host: with their interfaces and source prefixes resolved. */
import { networkInterfaces } from "node:os";
import { findLink } from "../../../ffi/netlink/link.ts";
import { lookupRoute } from "../../../ffi/netlink/route.ts";
import { address, parseAddress } from "../../../lib/net/ip/address.ts";
import { type Prefix, prefixOf } from "../../../lib/net/ip/prefix.ts";
import type { ProberConfig } from "./config/config.ts";

export interface Instance extends ProberConfig {
  readonly interfaceName: string;
}

/** Documentation addresses (RFC 5737, RFC 3849): only the default route leads there. */
const anywhere = ["192.0.2.1", "2001:db8::1"];

/** Throws Error, with the next step, when an interface or source addresses cannot be found. */
export function findInstance(prober: ProberConfig): Instance {
  const interfaceName = prober.interfaceName ?? defaultInterface() ?? (prober.dryRun ? "none" : null);
  if (interfaceName === null) {
    throw new Error(
      `Cannot choose an interface for ${prober.name}: no default route (see: prober[].interface)`,
    );
  }
  const prefixes = prober.prefixes.length > 0 ? prober.prefixes : addressesOf(interfaceName);
  if (prefixes.length === 0) {
    const why = findLink(interfaceName) === null ? "is not there (see: ip link)" : "has no address";
    throw new Error(
      `Cannot choose sources for ${prober.name}: ${interfaceName} ${why} (see: prober[].src_ipv6_prefix)`,
    );
  }
  return { ...prober, interfaceName, prefixes };
}

function defaultInterface(): string | null {
  for (const target of anywhere) {
    const route = lookupRoute({ destination: address(target) });
    if (route.ok) {
      return findLink(route.interfaceIndex)?.name ?? null;
    }
  }
  return null;
}

/** Without link-local addresses (fe80::/10), which do not reach beyond the link. */
function addressesOf(interfaceName: string): Prefix[] {
  const found = networkInterfaces()[interfaceName] ?? [];
  return found.flatMap(({ address: text }) => {
    const parsed = /^fe[89ab]/i.test(text) ? null : parseAddress(text);
    return parsed === null ? [] : [prefixOf(parsed, text.includes(":") ? 128 : 32)];
  });
}
