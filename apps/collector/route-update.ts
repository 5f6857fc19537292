/** What was heard as the message that the store has it of, and back. */
import { noAttributes, type PathAttributes } from "../../lib/bgp/path-attributes.ts";
import type { RouteEvent, RoutePeer } from "../../lib/bgp/route-event.ts";
import { type Address, addressBytes, isIpv4, mapped } from "../../lib/ip/address.ts";
import type { HeardEvent } from "../../lib/rib/heard-event.ts";
import type { RouteUpdate } from "../../lib/wire/update-codec.ts";

const nowhere: Address = new Uint8Array(addressBytes);
const unicast = 1;
const families = { 4: 1, 6: 2 } as const;

/**
 * Null for what is about a session, not a prefix. Sets of ASes are written one AS after another. That an IPv4 route
 * came in an MP_REACH_NLRI shows by its IPv6 next hop only.
 */
export function updateOf(
  { router, event, isSynthetic, receivedUs }: HeardEvent,
  port: number,
): RouteUpdate | null {
  const { route, attributes, peer, timeUs, kind } = event;
  if (route === null) {
    return null;
  }
  const { family, base, length } = route.prefix;
  const announced = kind === "announce";
  const isMultiprotocol = family === 6 || (attributes.nextHop !== null && !isIpv4(attributes.nextHop));
  return {
    ...{ timeReceivedNs: receivedUs * 1000n, timeBmpHeaderNs: (timeUs ?? 0n) * 1000n },
    ...{ routerAddr: router, routerPort: port, peerAddr: peer.address, peerBgpId: numberOf(peer.routerId) },
    ...{ peerAsn: peer.asn, prefixAddr: base, prefixLen: length },
    isPostPolicy: peer.table === "in-post-policy" || peer.table === "out-post-policy",
    isAdjRibOut: peer.table === "out" || peer.table === "out-post-policy",
    ...{ announced, synthetic: isSynthetic, ...attributeFields(attributes) },
    ...reachFields(announced, isMultiprotocol ? families[family] : 0),
  };
}

function attributeFields(attributes: PathAttributes) {
  const { aggregator, originatorId } = attributes;
  return {
    origin: attributes.origin ?? "",
    asPath: attributes.asPath.flat(),
    nextHop: attributes.nextHop ?? nowhere,
    multiExitDisc: attributes.med ?? 0,
    localPreference: attributes.localPreference ?? 0,
    onlyToCustomer: attributes.onlyToCustomer ?? 0,
    atomicAggregate: attributes.isAtomicAggregate,
    aggregatorAsn: aggregator?.asn ?? 0,
    aggregatorBgpId: aggregator === null ? 0 : idOf(aggregator.address),
    communities: attributes.communities,
    extendedCommunities: attributes.extendedCommunities.map((text) => {
      const bytes = Uint8Array.fromHex(text);
      return [bytes[0] ?? 0, bytes[1] ?? 0, bytes.subarray(2)] as const;
    }),
    largeCommunities: attributes.largeCommunities,
    originatorId: originatorId === null ? 0 : idOf(originatorId),
    clusterList: attributes.clusterList.map(idOf),
  };
}

function reachFields(announced: boolean, family: number) {
  const [reach, unreach] = announced ? [family, 0] : [0, family];
  return {
    ...{ mpReachAfi: reach, mpReachSafi: reach === 0 ? 0 : unicast },
    ...{ mpUnreachAfi: unreach, mpUnreachSafi: unreach === 0 ? 0 : unicast },
  };
}

/** The event that a message was made of, as far as it says it: 0 of a number reads as not said. */
export function eventOf(update: RouteUpdate, pathId: number | null): RouteEvent {
  const isLocal = update.peerAddr.every((byte) => byte === 0);
  const side = update.isAdjRibOut ? "out" : "in";
  const table: RoutePeer["table"] = isLocal ? "local" : update.isPostPolicy ? `${side}-post-policy` : side;
  const family = update.prefixLen > 32 || !isIpv4(update.prefixAddr) ? 6 : 4;
  return {
    timeUs: update.timeBmpHeaderNs === 0n ? null : update.timeBmpHeaderNs / 1000n,
    peer: { table, address: update.peerAddr, asn: update.peerAsn, routerId: idText(update.peerBgpId) },
    kind: update.announced ? "announce" : "withdraw",
    family: null,
    route: { prefix: { base: update.prefixAddr, length: update.prefixLen, family }, pathId },
    attributes: update.announced ? attributesOf(update) : noAttributes(),
  };
}

function attributesOf(update: RouteUpdate): PathAttributes {
  const orNull = (number: number) => (number === 0 ? null : number);
  const origin = (["IGP", "EGP", "INCOMPLETE"] as const).find((one) => one === update.origin) ?? null;
  const { aggregatorAsn: asn, aggregatorBgpId, originatorId } = update;
  return {
    origin,
    asPath: update.asPath,
    nextHop: update.nextHop.every((byte) => byte === 0) ? null : update.nextHop,
    med: orNull(update.multiExitDisc),
    localPreference: orNull(update.localPreference),
    isAtomicAggregate: update.atomicAggregate,
    aggregator: asn === 0 ? null : { asn, address: idAddress(aggregatorBgpId) },
    communities: update.communities,
    extendedCommunities: update.extendedCommunities.map(([high, low, value]) =>
      Uint8Array.of(high, low, ...value).toHex(),
    ),
    largeCommunities: update.largeCommunities,
    originatorId: originatorId === 0 ? null : idAddress(originatorId),
    clusterList: update.clusterList.map(idAddress),
    onlyToCustomer: orNull(update.onlyToCustomer),
  };
}

/** `10.0.0.1` as a number; 0 = it is not known. */
function numberOf(routerId: string | null): number {
  return routerId === null ? 0 : routerId.split(".").reduce((sum, part) => sum * 256 + Number(part), 0);
}

function idOf(address: Address): number {
  return new DataView(address.buffer, address.byteOffset).getUint32(12);
}

function idAddress(id: number): Address {
  return mapped([id >>> 24, (id >>> 16) & 0xff, (id >>> 8) & 0xff, id & 0xff]);
}

function idText(id: number): string | null {
  return id === 0 ? null : [id >>> 24, (id >>> 16) & 0xff, (id >>> 8) & 0xff, id & 0xff].join(".");
}
