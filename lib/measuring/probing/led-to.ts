/**
 * Whether a packet to an address may end at another one that is listed: checked for an address and the IPv4 addresses
 * inside it, by everything that sends to destinations chosen by others: probes, webhooks.
 */
import type { Address } from "../../net/ip/address.ts";
import { embeddedIpv4 } from "./embedded-ipv4.ts";
import { isReserved } from "./is-reserved.ts";

interface Listed<Reason> {
  readonly reason: Reason;
  /** The listed address: the given one, or one inside it. */
  readonly at: Address;
}

/** `listed` returns null for addresses that are not. Allocates only for listed ones, and for tunnels. */
export function ledTo<Reason>(
  address: Address,
  listed: (address: Address) => Reason | null,
): Listed<Reason> | null {
  const own = listed(address);
  if (own !== null) {
    return { reason: own, at: address };
  }
  for (const inside of embeddedIpv4(address)) {
    const reason = listed(inside);
    if (reason !== null) {
      return { reason, at: inside };
    }
  }
  return null;
}

/** Whether an address belongs to the public Internet, and leads nowhere else. */
export function isPublic(address: Address): boolean {
  return ledTo(address, (one) => (isReserved(one) ? true : null)) === null;
}
