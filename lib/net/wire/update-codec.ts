/**
 * Updates of routes as bytes of the topic `bmp-updates`: stream-framed, unpacked Cap'n Proto (update.capnp).
 *
 * The encoder writes one segment, and leaves the pointer of an empty list null. A broken message is refused with its
 * reason, and the reader continues after it if its frame is intact.
 */
import { readAddress, readText } from "./byte-lists.ts";
import * as at from "./layout.ts";
import { messageWordsMax } from "./limits.ts";
import { elementBit, MessageReader } from "./message-reader.ts";
import type { RouteUpdate } from "./route-update.ts";
import { UpdateMessages } from "./update-messages.ts";
import type { WireReason } from "./wire-reason.ts";

export const originBytesMax = 16;

export function encodeUpdate(update: RouteUpdate): Uint8Array {
  const messages = new UpdateMessages();
  messages.add(update);
  return messages.bytes.slice(0, messages.length);
}

type UpdateResult =
  | { readonly ok: true; readonly update: RouteUpdate }
  /** The bytes of the message; those to the end when its frame is broken. */
  | { readonly ok: false; readonly reason: WireReason; readonly bytes: Uint8Array };

/** The messages of a record, one after another. */
export function* decodeUpdates(record: Uint8Array): Generator<UpdateResult> {
  const reader = new MessageReader(record);
  // A record without a message is truncated, not empty.
  for (let start = 0; start < record.length || start === 0; start = Math.max(reader.next, start + 1)) {
    reader.open(start);
    const update = readUpdate(reader);
    const reason = reader.failure ?? (update.prefixLen > 128 ? "addressLength" : null);
    yield reason === null
      ? { ok: true, update }
      : { ok: false, reason, bytes: record.slice(start, reader.next) };
  }
}

function readUpdate(reader: MessageReader): RouteUpdate {
  const u32 = (offset: number) => reader.u32(offset);
  const flags = reader.u8(at.updateAnnouncedBit >> 3);
  const flag = (bit: number) => (flags & (1 << (bit & 7))) !== 0;
  return {
    timeReceivedNs: reader.u64(at.updateTimeReceivedNsOffset),
    timeBmpHeaderNs: reader.u64(at.updateTimeBmpHeaderNsOffset),
    routerAddr: readAddress(reader, at.updateRouterAddrPointer),
    routerPort: reader.u16(at.updateRouterPortOffset),
    peerAddr: readAddress(reader, at.updatePeerAddrPointer),
    peerBgpId: u32(at.updatePeerBgpIdOffset),
    peerAsn: u32(at.updatePeerAsnOffset),
    prefixAddr: readAddress(reader, at.updatePrefixAddrPointer),
    prefixLen: reader.u8(at.updatePrefixLenOffset),
    isPostPolicy: flag(at.updateIsPostPolicyBit),
    isAdjRibOut: flag(at.updateIsAdjRibOutBit),
    announced: flag(at.updateAnnouncedBit),
    synthetic: flag(at.updateSyntheticBit),
    origin: readText(reader, at.updateOriginPointer, originBytesMax),
    asPath: readNumbers(reader, at.updateAsPathPointer),
    nextHop: readAddress(reader, at.updateNextHopPointer),
    multiExitDisc: u32(at.updateMultiExitDiscOffset),
    localPreference: u32(at.updateLocalPreferenceOffset),
    onlyToCustomer: u32(at.updateOnlyToCustomerOffset),
    atomicAggregate: flag(at.updateAtomicAggregateBit),
    aggregatorAsn: u32(at.updateAggregatorAsnOffset),
    aggregatorBgpId: u32(at.updateAggregatorBgpIdOffset),
    ...readCommunities(reader),
    originatorId: u32(at.updateOriginatorIdOffset),
    clusterList: readNumbers(reader, at.updateClusterListPointer),
    mpReachAfi: reader.u16(at.updateMpReachAfiOffset),
    mpReachSafi: reader.u8(at.updateMpReachSafiOffset),
    mpUnreachAfi: reader.u16(at.updateMpUnreachAfiOffset),
    mpUnreachSafi: reader.u8(at.updateMpUnreachSafiOffset),
  };
}

function readCommunities(
  reader: MessageReader,
): Pick<RouteUpdate, "communities" | "extendedCommunities" | "largeCommunities"> {
  const communities = readList(reader, at.updateCommunitiesPointer, (i) => {
    const value = reader.elementU8(i, at.communityValueOffset);
    const high = reader.elementU8(i, at.communityValueOffset + 1);
    return [reader.elementU32(i, at.communityAsnOffset), (high << 8) | value] as const;
  });
  const extendedCommunities = readList(reader, at.updateExtendedCommunitiesPointer, (i) => {
    const typeHigh = reader.elementU8(i, at.extendedCommunityTypeHighOffset);
    const typeLow = reader.elementU8(i, at.extendedCommunityTypeLowOffset);
    return [typeHigh, typeLow, reader.elementBytes(i, at.extendedCommunityValuePointer)] as const;
  });
  const largeCommunities = readList(reader, at.updateLargeCommunitiesPointer, (i) => {
    const one = reader.elementU32(i, at.largeCommunityLocalDataPart1Offset);
    const two = reader.elementU32(i, at.largeCommunityLocalDataPart2Offset);
    return [reader.elementU32(i, at.largeCommunityGlobalAdminOffset), one, two] as const;
  });
  return { communities, extendedCommunities, largeCommunities };
}

function readNumbers(reader: MessageReader, pointer: number): number[] {
  return readList(reader, pointer, (i) => reader.elementU32(i, 0));
}

function readList<T>(reader: MessageReader, pointer: number, read: (index: number) => T): T[] {
  reader.openList(pointer);
  if (reader.listElement === elementBit || reader.listCount > 2 * messageWordsMax) {
    reader.fail("listElement");
    return [];
  }
  return Array.from({ length: reader.listCount }, (_, i) => read(i));
}
