/**
 * Identifies the caller by the address of the connection: in the VPN, WireGuard has authenticated it.
 *
 * Headers are ignored: anyone can set them.
 */
import { parseAddress } from "../../../../lib/net/ip/address.ts";
import { type Prefix, prefixContains } from "../../../../lib/net/ip/prefix.ts";
import type { Policy } from "../../../../lib/peering/policy/policy.ts";
import { isSessionAddress } from "../../../../lib/peering/policy/vpn-node.ts";

export type Viewer =
  | { readonly kind: "operator" }
  /** Addresses of all devices of the user; only the caller's where the device has no known user. */
  | { readonly kind: "user"; readonly addresses: readonly string[] }
  | { readonly kind: "stranger" };

export function viewerOf(remote: string | null, operators: readonly Prefix[], policy: Policy): Viewer {
  const text = remote?.replace(/^::ffff:(?=[\d.]+$)/, "") ?? "";
  const address = parseAddress(text);
  if (address === null) {
    return { kind: "stranger" };
  }
  if (operators.some((network) => prefixContains(network, address))) {
    return { kind: "operator" };
  }
  if (!isSessionAddress(text)) {
    return { kind: "stranger" };
  }
  const user = policy.users.find(({ addresses }) => addresses.some(({ v4 }) => v4 === text));
  return { kind: "user", addresses: user?.addresses.map(({ v4 }) => v4) ?? [text] };
}
