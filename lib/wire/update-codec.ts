/**
 * What collectors have heard as bytes of the topic `bmp-updates`: stream-framed, unpacked Cap'n Proto (update.capnp).
 *
 * The encoder writes one segment, and leaves the pointer of an empty list null. A broken message is refused with its
 * reason, and the reader goes on behind it if its frame is intact.
 */
import { type Address, addressBytes } from "../ip/address.ts";
import { readAddress, readText } from "./byte-lists.ts";
import * as at from "./layout.ts";
import { messageWordsMax } from "./limits.ts";
import { elementBit, MessageReader } from "./message-reader.ts";
import { MessageWriter, messageBytes, wordsFor } from "./message-writer.ts";
import type { WireReason } from "./wire-reason.ts";

/** The fields of update.capnp. */
export interface RouteUpdate {
  readonly timeReceivedNs: bigint;
  readonly timeBmpHeaderNs: bigint;
  readonly routerAddr: Address;
  readonly routerPort: number;
  readonly peerAddr: Address;
  readonly peerBgpId: number;
  readonly peerAsn: number;
  readonly prefixAddr: Address;
  readonly prefixLen: number;
  readonly isPostPolicy: boolean;
  readonly isAdjRibOut: boolean;
  readonly announced: boolean;
  readonly synthetic: boolean;
  readonly origin: string;
  readonly asPath: readonly number[];
  readonly nextHop: Address;
  readonly multiExitDisc: number;
  readonly localPreference: number;
  readonly onlyToCustomer: number;
  readonly atomicAggregate: boolean;
  readonly aggregatorAsn: number;
  readonly aggregatorBgpId: number;
  readonly communities: readonly (readonly [asn: number, value: number])[];
  readonly extendedCommunities: readonly (readonly [typeHigh: number, typeLow: number, value: Uint8Array])[];
  readonly largeCommunities: readonly (readonly [asn: number, first: number, second: number])[];
  readonly originatorId: number;
  readonly clusterList: readonly number[];
  readonly mpReachAfi: number;
  readonly mpReachSafi: number;
  readonly mpUnreachAfi: number;
  readonly mpUnreachSafi: number;
}

const utf8 = new TextEncoder();
export const originBytesMax = 16;
const addressWords = addressBytes / 8;
const firstBytes = 1024;

/** Messages one after another, in memory that grows by doubling and is kept by `clear`. */
export class UpdateMessages {
  bytes = new Uint8Array(firstBytes);
  length = 0;
  #view = new DataView(this.bytes.buffer);
  readonly #writer = new MessageWriter();
  /** A few words, again and again. */
  readonly #origins = new Map<string, Uint8Array>();

  clear(): void {
    this.length = 0;
  }

  /** Zeros, for a message or what is said before it; returns where they begin. */
  room(count: number): number {
    const start = this.length;
    this.length += count;
    if (this.length > this.bytes.length) {
      const larger = new Uint8Array(Math.max(this.length, 2 * this.bytes.length));
      larger.set(this.bytes.subarray(0, start));
      this.bytes = larger;
      this.#view = new DataView(larger.buffer);
    } else {
      this.bytes.fill(0, start, this.length);
    }
    return start;
  }

  add(update: RouteUpdate): void {
    const origin = this.#originOf(update.origin);
    const size = messageBytes(at.updateDataWords, at.updatePointerWords, listWords(update, origin));
    const start = this.room(size);
    const writer = this.#writer;
    writer.begin(this.bytes, this.#view, { start, size }, at.updateDataWords, at.updatePointerWords);
    writeNumbers(writer, update);
    writer.byteList(at.updateRouterAddrPointer, update.routerAddr);
    writer.byteList(at.updatePeerAddrPointer, update.peerAddr);
    writer.byteList(at.updatePrefixAddrPointer, update.prefixAddr);
    writer.byteList(at.updateOriginPointer, origin, origin.length + 1);
    writer.numberList(at.updateAsPathPointer, update.asPath);
    writer.byteList(at.updateNextHopPointer, update.nextHop);
    writeCommunities(writer, update);
    writer.numberList(at.updateClusterListPointer, update.clusterList);
  }

  #originOf(origin: string): Uint8Array {
    let bytes = this.#origins.get(origin);
    if (bytes === undefined) {
      bytes = utf8.encode(origin);
      this.#origins.set(origin, bytes);
    }
    return bytes;
  }
}

export function encodeUpdate(update: RouteUpdate): Uint8Array {
  const messages = new UpdateMessages();
  messages.add(update);
  return messages.bytes.slice(0, messages.length);
}

function writeNumbers(writer: MessageWriter, update: RouteUpdate): void {
  writer.u64(at.updateTimeReceivedNsOffset, update.timeReceivedNs);
  writer.u64(at.updateTimeBmpHeaderNsOffset, update.timeBmpHeaderNs);
  writer.u32(at.updatePeerBgpIdOffset, update.peerBgpId);
  writer.u32(at.updatePeerAsnOffset, update.peerAsn);
  writer.u32(at.updateMultiExitDiscOffset, update.multiExitDisc);
  writer.u32(at.updateLocalPreferenceOffset, update.localPreference);
  writer.u32(at.updateOnlyToCustomerOffset, update.onlyToCustomer);
  writer.u32(at.updateAggregatorAsnOffset, update.aggregatorAsn);
  writer.u32(at.updateAggregatorBgpIdOffset, update.aggregatorBgpId);
  writer.u32(at.updateOriginatorIdOffset, update.originatorId);
  writer.u16(at.updateRouterPortOffset, update.routerPort);
  writer.u16(at.updateMpReachAfiOffset, update.mpReachAfi);
  writer.u16(at.updateMpUnreachAfiOffset, update.mpUnreachAfi);
  writer.u8(at.updatePrefixLenOffset, update.prefixLen);
  writer.u8(at.updateMpReachSafiOffset, update.mpReachSafi);
  writer.u8(at.updateMpUnreachSafiOffset, update.mpUnreachSafi);
  writer.u8(at.updateAnnouncedBit >> 3, flagsOf(update));
}

/** All in one byte. */
function flagsOf(update: RouteUpdate): number {
  return (
    (update.isPostPolicy ? 1 << (at.updateIsPostPolicyBit & 7) : 0) |
    (update.isAdjRibOut ? 1 << (at.updateIsAdjRibOutBit & 7) : 0) |
    (update.announced ? 1 << (at.updateAnnouncedBit & 7) : 0) |
    (update.synthetic ? 1 << (at.updateSyntheticBit & 7) : 0) |
    (update.atomicAggregate ? 1 << (at.updateAtomicAggregateBit & 7) : 0)
  );
}

function listWords(update: RouteUpdate, origin: Uint8Array): number {
  const { asPath, communities, extendedCommunities, largeCommunities, clusterList } = update;
  const numbers = wordsFor(4 * asPath.length) + wordsFor(4 * clusterList.length);
  const plain = 4 * addressWords + wordsFor(origin.length + 1) + numbers;
  const extended = compositeWords(extendedCommunities.length, 3);
  return (
    plain + extended + compositeWords(communities.length, 1) + compositeWords(largeCommunities.length, 2)
  );
}

function compositeWords(count: number, words: number): number {
  return count === 0 ? 0 : 1 + count * words;
}

function writeCommunities(writer: MessageWriter, update: RouteUpdate): void {
  const { communities, extendedCommunities, largeCommunities } = update;
  if (communities.length > 0) {
    const first = writer.compositeList(at.updateCommunitiesPointer, communities.length, 1, 0);
    for (let i = 0; i < communities.length; i++) {
      const [asn = 0, value = 0] = communities[i] ?? [];
      writer.elementU32(first + 8 * i, at.communityAsnOffset, asn);
      writer.elementU16(first + 8 * i, at.communityValueOffset, value);
    }
  }
  if (extendedCommunities.length > 0) {
    const first = writer.compositeList(at.updateExtendedCommunitiesPointer, extendedCommunities.length, 1, 1);
    for (const [i, [typeHigh, typeLow, value]] of extendedCommunities.entries()) {
      writer.elementU8(first + 16 * i, at.extendedCommunityTypeHighOffset, typeHigh);
      writer.elementU8(first + 16 * i, at.extendedCommunityTypeLowOffset, typeLow);
      writer.elementBytes(first + 16 * i + 8, value);
    }
  }
  if (largeCommunities.length > 0) {
    const first = writer.compositeList(at.updateLargeCommunitiesPointer, largeCommunities.length, 2, 0);
    for (const [i, [asn, one, two]] of largeCommunities.entries()) {
      writer.elementU32(first + 16 * i, at.largeCommunityGlobalAdminOffset, asn);
      writer.elementU32(first + 16 * i, at.largeCommunityLocalDataPart1Offset, one);
      writer.elementU32(first + 16 * i, at.largeCommunityLocalDataPart2Offset, two);
    }
  }
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
