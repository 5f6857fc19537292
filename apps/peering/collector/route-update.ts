/** Received events as the message that the store reads, and back. */
import { noAttributes, type PathAttributes } from "../../../lib/net/bgp/path-attributes.ts";
import type { RouteEvent, RoutePeer } from "../../../lib/net/bgp/route-event.ts";
import { type Address, addressBytes, isIpv4, mapped } from "../../../lib/net/ip/address.ts";
import type { Prefix } from "../../../lib/net/ip/prefix.ts";
import { wordAt } from "../../../lib/net/ip/words.ts";
import type { ReceivedEvent } from "../../../lib/net/rib/received-event.ts";
import type { RouteUpdate } from "../../../lib/net/wire/route-update.ts";

const nowhere: Address = new Uint8Array(addressBytes);
const nothing: readonly never[] = [];
const unicast = 1;
const [zero, dot] = [0x30, 0x2e];
const families = { 4: 1, 6: 2 } as const;

/**
 * Null for what is about a session, not a prefix. Sets of ASes are written one AS after another. That an IPv4 route
 * came in an MP_REACH_NLRI shows by its IPv6 next hop only.
 */
export function updateOf(
  { router, event, isSynthetic, receivedUs }: ReceivedEvent,
  port: number,
): RouteUpdate | null {
  const { route, attributes, peer, timeUs, kind } = event;
  if (route === null) {
    return null;
  }
  const announced = kind === "announce";
  const { nextHop, aggregator, originatorId } = attributes;
  const { family } = route.prefix;
  const isMultiprotocol = family === 6 || (nextHop !== null && !isIpv4(nextHop));
  const afi = isMultiprotocol ? families[family] : 0;
  const safi = isMultiprotocol ? unicast : 0;
  return {
    timeReceivedNs: receivedUs * 1000n,
    timeBmpHeaderNs: timeUs === null ? 0n : timeUs * 1000n,
    routerAddr: router,
    routerPort: port,
    peerAddr: peer.address,
    peerBgpId: numberOf(peer.routerId),
    peerAsn: peer.asn,
    prefixAddr: route.prefix.base,
    prefixLen: route.prefix.length,
    isPostPolicy: peer.table === "in-post-policy" || peer.table === "out-post-policy",
    isAdjRibOut: peer.table === "out" || peer.table === "out-post-policy",
    announced,
    synthetic: isSynthetic,
    origin: attributes.origin ?? "",
    asPath: flat(attributes.asPath),
    nextHop: nextHop ?? nowhere,
    multiExitDisc: attributes.med ?? 0,
    localPreference: attributes.localPreference ?? 0,
    onlyToCustomer: attributes.onlyToCustomer ?? 0,
    atomicAggregate: attributes.isAtomicAggregate,
    aggregatorAsn: aggregator === null ? 0 : aggregator.asn,
    aggregatorBgpId: aggregator === null ? 0 : idOf(aggregator.address),
    communities: attributes.communities,
    extendedCommunities: each(attributes.extendedCommunities, extendedOf),
    largeCommunities: attributes.largeCommunities,
    originatorId: originatorId === null ? 0 : idOf(originatorId),
    clusterList: each(attributes.clusterList, idOf),
    mpReachAfi: announced ? afi : 0,
    mpReachSafi: announced ? safi : 0,
    mpUnreachAfi: announced ? 0 : afi,
    mpUnreachSafi: announced ? 0 : safi,
  };
}

/** Most lists are empty: then nothing is called, and nothing made. */
function each<From, To>(list: readonly From[], of: (one: From) => To): readonly To[] {
  return list.length === 0 ? nothing : list.map(of);
}

/** Most paths have no sets: they are as they are. */
function flat(path: PathAttributes["asPath"]): readonly number[] {
  return isFlat(path) ? path : path.flat();
}

function isFlat(path: PathAttributes["asPath"]): path is readonly number[] {
  for (let i = 0; i < path.length; i++) {
    if (typeof path[i] === "object") {
      return false;
    }
  }
  return true;
}

function extendedOf(text: string) {
  const bytes = Uint8Array.fromHex(text);
  return [bytes[0] ?? 0, bytes[1] ?? 0, bytes.subarray(2)] as const;
}

/** The event that a message was made of, as far as it says it: 0 of a number reads as not said. */
export function eventOf(update: RouteUpdate, pathId: number | null): RouteEvent {
  const isLocal = update.peerAddr.every((byte) => byte === 0);
  const side = update.isAdjRibOut ? "out" : "in";
  const table: RoutePeer["table"] = isLocal ? "local" : update.isPostPolicy ? `${side}-post-policy` : side;
  return {
    timeUs: update.timeBmpHeaderNs === 0n ? null : update.timeBmpHeaderNs / 1000n,
    peer: { table, address: update.peerAddr, asn: update.peerAsn, routerId: idText(update.peerBgpId) },
    kind: update.announced ? "announce" : "withdraw",
    family: null,
    route: { prefix: prefixIn(update), pathId },
    attributes: update.announced ? attributesOf(update) : noAttributes(),
  };
}

export function prefixIn({ prefixAddr: base, prefixLen: length }: RouteUpdate): Prefix {
  return { base, length, family: length > 32 || !isIpv4(base) ? 6 : 4 };
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
  let [number, part] = [0, 0];
  for (let i = 0; routerId !== null && i < routerId.length; i++) {
    const code = routerId.charCodeAt(i);
    if (code === dot) {
      number = number * 256 + part;
      part = 0;
    } else {
      part = part * 10 + (code - zero);
    }
  }
  return number * 256 + part;
}

function idOf(address: Address): number {
  return wordAt(address, 12);
}

function idAddress(id: number): Address {
  return mapped([id >>> 24, (id >>> 16) & 0xff, (id >>> 8) & 0xff, id & 0xff]);
}

function idText(id: number): string | null {
  return id === 0 ? null : [id >>> 24, (id >>> 16) & 0xff, (id >>> 8) & 0xff, id & 0xff].join(".");
}
