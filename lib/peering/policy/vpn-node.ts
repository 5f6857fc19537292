/** The parts of a VPN device that peering needs: its owner, its addresses, and the routes that it offers. */
import { type Address, familyOf, formatAddress, parseAddress } from "../../net/ip/address.ts";
import { parsePrefix, prefixContains } from "../../net/ip/prefix.ts";

/** The owner's names in the VPN; the first one present counts. */
interface Owner {
  readonly userHash: string | null;
  /** `ISSUER/SUBJECT`. */
  readonly providerId: string | null;
  readonly email: string | null;
}

export interface VpnNode {
  /** The coordination server's; empty in a static list. */
  readonly id: string;
  readonly owner: Owner;
  /** As received, not yet validated. */
  readonly addresses: readonly string[];
  /** Prefixes that the device offers, and those that the coordination server has approved. */
  readonly availableRoutes: readonly string[];
  readonly approvedRoutes: readonly string[];
}

export interface TunnelAddress {
  /** An address in 100.64.0.0/10; sessions come from it. */
  readonly v4: string;
  readonly v6: string | null;
  /** Id of the device, as in VpnNode. */
  readonly nodeId: string;
}

/** The VPN's ranges: CGNAT addresses (RFC 6598), and the one from which Tailscale and Headscale number devices. */
const ranges = [parsePrefix("100.64.0.0/10"), parsePrefix("fd7a:115c:a1e0::/48")];

/** Null when an address cannot be read or is outside the VPN's ranges, or the device has no IPv4 address. */
export function tunnelAddressOf(node: VpnNode): TunnelAddress | null {
  const read = node.addresses.map(parseAddress).filter((one) => one !== null && isInRange(one));
  const [v4, v6] = ([4, 6] as const).map((family) => read.find((one) => one && familyOf(one) === family));
  if (read.length !== node.addresses.length || !v4) {
    return null;
  }
  return { v4: formatAddress(v4), v6: v6 ? formatAddress(v6) : null, nodeId: node.id };
}

function isInRange(address: Address): boolean {
  return ranges.some((range) => range !== null && prefixContains(range, address));
}

/** Whether sessions may come from this address; false for text that is not an address. */
export function isSessionAddress(text: string): boolean {
  const address = parseAddress(text);
  return address !== null && familyOf(address) === 4 && isInRange(address);
}
