/**
 * Whether a packet to an address may end at another one that a list holds: asked of an address and of the IPv4
 * addresses inside it, by everything that sends where somebody else says: probes, webhooks.
 */
import type { Address } from "../../net/ip/address.ts";
import { embeddedIpv4 } from "./embedded-ipv4.ts";
import { isReserved } from "./is-reserved.ts";

interface Listed<Reason> {
  readonly reason: Reason;
  /** The address that is listed: the one asked about, or one inside it. */
  readonly at: Address;
}

/** `listed` returns null for what it does not hold. Allocates only for what is listed, and for tunnels. */
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

/** Whether an address is of the public Internet, and leads nowhere else. */
export function isPublic(address: Address): boolean {
  return ledTo(address, (one) => (isReserved(one) ? true : null)) === null;
}
