/** Events that a live table passes to its listeners. */
import { noAttributes } from "../bgp/path-attributes.ts";
import type { RouteEvent } from "../bgp/route-event.ts";
import { type Address, sameAddress } from "../ip/address.ts";
import type { Source } from "./live-peers.ts";

export interface ReceivedEvent {
  readonly router: Address;
  readonly event: RouteEvent;
  /** A withdrawal that no peer sent: its session ended, or it sent a malformed UPDATE. */
  readonly isSynthetic: boolean;
  readonly receivedUs: bigint;
}

/** A period in which the collector received nothing from a router, or from any of them (null). */
export interface Gap {
  readonly router: Address | null;
  readonly fromUs: bigint;
  /** Null = still open. */
  readonly toUs: bigint | null;
  readonly reason: string;
}

/** Whether it is an open gap of this router, or of all of them (null). */
export function isOpenGap({ router: one, toUs }: Gap, router: Address | null): boolean {
  const isSame = one === null || router === null ? one === router : sameAddress(one, router);
  return toUs === null && isSame;
}

/** A withdrawal that no peer sent. */
export function synthetic(
  { peer, table }: Source,
  route: RouteEvent["route"],
  { receivedUs, timeUs }: { readonly receivedUs: bigint; readonly timeUs: bigint },
): ReceivedEvent {
  const { router, address, asn, routerId } = peer;
  const event: RouteEvent = {
    ...{ timeUs, peer: { table, address, asn, routerId } },
    ...{ kind: "withdraw", family: null, route, attributes: noAttributes() },
  };
  return { router, event, isSynthetic: true, receivedUs };
}
