/**
 * Finds whose session was lost where a file of MRT does not say: BIRD writes zeros in place of the address
 * when the connection ends before the session, as when the neighbour's daemon is killed. The AS is there.
 */
import type { RouteEvent } from "../../../lib/net/bgp/route-event.ts";
import { type Address, sameAddress } from "../../../lib/net/ip/address.ts";
import type { LiveTable } from "../../../lib/net/rib/live-table.ts";

/**
 * The event with the peer's address, where that is clear. Null = there is no such peer, or there are several; the table
 * has a gap for each of them then.
 */
export function withPeer(
  table: Pick<LiveTable, "peers" | "gap">,
  { router, event, nowUs }: { readonly router: Address; readonly event: RouteEvent; readonly nowUs: bigint },
): RouteEvent | null {
  const { kind, peer } = event;
  if (kind !== "peer-down" || peer.address.some((byte) => byte !== 0)) {
    return event;
  }
  const maybe = table.peers().filter((one) => {
    return sameAddress(one.router, router) && !one.isLocalTable && one.asn === peer.asn && one.isUp !== false;
  });
  const [only] = maybe;
  if (only !== undefined && maybe.length === 1) {
    return { ...event, peer: { ...peer, address: only.address, routerId: only.routerId } };
  }
  if (only !== undefined) {
    const reason = `a session with AS${peer.asn} was lost, and the file does not say which of ${maybe.length}`;
    table.gap({ router, fromUs: nowUs, toUs: nowUs, reason });
  }
  return null;
}
