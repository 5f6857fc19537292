/**
 * Updates as Cap'n Proto, one message after another (update-codec.ts). There are millions, so they are written in words
 * of 32 bits, straight into the memory that is sent, rather than by the writer of other messages.
 *
 * | words  | of a message                                                          |
 * |--------|-----------------------------------------------------------------------|
 * | 2      | frame: 0, and the words of 64 bits behind it                          |
 * | 2      | pointer to the root: 0, and its u16 data and u16 pointer words        |
 * | 2 each | data of the root                                                      |
 * | 2 each | its pointers (their form: message-reader.ts)                           |
 * |        | the lists, each padded with zeros to whole words of 64 bits           |
 *
 * Words have the machine's byte order, which must be little endian, as Cap'n Proto is.
 */
import { type Address, addressBytes } from "../ip/address.ts";
import * as at from "./layout.ts";
import { messageBytes, wordsFor } from "./message-writer.ts";
import type { RouteUpdate } from "./route-update.ts";

const utf8 = new TextEncoder();
const addressWords = addressBytes / 8;
const firstBytes = 1024;
const listKind = 1;
const ofBytes = 2;
const ofNumbers = 4;
const composite = 7;
/** In words of 32 bits, from the start of a message. */
const dataAt = 4;
const pointersAt = dataAt + 2 * at.updateDataWords;
const listsAt = pointersAt + 2 * at.updatePointerWords;

/** In memory that grows by doubling, and is kept by `clear`. */
export class UpdateMessages {
  bytes = new Uint8Array(firstBytes);
  length = 0;
  #view = new DataView(this.bytes.buffer);
  #words = new Uint32Array(this.bytes.buffer);
  /** Where the next list starts. */
  #at = 0;
  /** Caches the few texts that recur. */
  readonly #origins = new Map<string, Uint8Array>();

  clear(): void {
    this.length = 0;
  }

  /** Reserves zeros, in whole words of 32 bits, for a message or its frame; returns where they begin. */
  room(count: number): number {
    const start = this.length;
    this.length += (count + 3) & ~3;
    if (this.length > this.bytes.length) {
      const larger = new Uint8Array(Math.max(this.length, 2 * this.bytes.length));
      larger.set(this.bytes.subarray(0, start));
      this.bytes = larger;
      this.#view = new DataView(larger.buffer);
      this.#words = new Uint32Array(larger.buffer);
    } else {
      this.#words.fill(0, start >>> 2, this.length >>> 2);
    }
    return start;
  }

  add(update: RouteUpdate): void {
    const origin = this.#originOf(update.origin);
    const size = messageBytes(at.updateDataWords, at.updatePointerWords, listWords(update, origin));
    const start = this.room(size);
    const first = start >>> 2;
    this.#words[first + 1] = (size >>> 3) - 1;
    this.#words[first + 3] = at.updateDataWords | (at.updatePointerWords << 16);
    this.#view.setBigUint64(start + 4 * dataAt + at.updateTimeReceivedNsOffset, update.timeReceivedNs, true);
    this.#view.setBigUint64(
      start + 4 * dataAt + at.updateTimeBmpHeaderNsOffset,
      update.timeBmpHeaderNs,
      true,
    );
    writeNumbers(this.#words, first + dataAt, update);
    const pointers = first + pointersAt;
    this.#at = first + listsAt;
    this.#address(pointers + 2 * at.updateRouterAddrPointer, update.routerAddr);
    this.#address(pointers + 2 * at.updatePeerAddrPointer, update.peerAddr);
    this.#address(pointers + 2 * at.updatePrefixAddrPointer, update.prefixAddr);
    this.#bytesAt(pointers + 2 * at.updateOriginPointer, origin, origin.length + 1);
    this.#numbers(pointers + 2 * at.updateAsPathPointer, update.asPath);
    this.#address(pointers + 2 * at.updateNextHopPointer, update.nextHop);
    this.#communities(pointers + 2 * at.updateCommunitiesPointer, update.communities);
    this.#extended(pointers + 2 * at.updateExtendedCommunitiesPointer, update.extendedCommunities);
    this.#large(pointers + 2 * at.updateLargeCommunitiesPointer, update.largeCommunities);
    this.#numbers(pointers + 2 * at.updateClusterListPointer, update.clusterList);
  }

  #originOf(origin: string): Uint8Array {
    let bytes = this.#origins.get(origin);
    if (bytes === undefined) {
      bytes = utf8.encode(origin);
      this.#origins.set(origin, bytes);
    }
    return bytes;
  }

  /** Points the pointer at this word to the next list. */
  #point(pointer: number, element: number, count: number): void {
    this.#words[pointer] = (2 * (this.#at - pointer - 2)) | listKind;
    this.#words[pointer + 1] = (count << 3) | element;
  }

  #address(pointer: number, address: Address): void {
    this.#point(pointer, ofBytes, addressBytes);
    for (let i = 0; i < addressBytes; i += 4) {
      const low = (address[i] ?? 0) | ((address[i + 1] ?? 0) << 8);
      this.#words[this.#at++] = low | ((address[i + 2] ?? 0) << 16) | ((address[i + 3] ?? 0) << 24);
    }
  }

  /** `count` may exceed the bytes by one: the padding then provides the NUL that closes a text. */
  #bytesAt(pointer: number, bytes: Uint8Array, count: number): void {
    this.#point(pointer, ofBytes, count);
    const place = 4 * this.#at;
    for (let i = 0; i < bytes.length; i++) {
      this.bytes[place + i] = bytes[i] ?? 0;
    }
    this.#at += 2 * wordsFor(count);
  }

  #numbers(pointer: number, numbers: readonly number[]): void {
    const count = numbers.length;
    if (count > 0) {
      this.#point(pointer, ofNumbers, count);
      for (let i = 0; i < count; i++) {
        this.#words[this.#at + i] = numbers[i] ?? 0;
      }
      this.#at += (count + 1) & ~1;
    }
  }

  /** Starts a list of structs; returns where the first one starts. */
  #structs(pointer: number, count: number, dataWords: number, pointerWords: number): number {
    const words = count * (dataWords + pointerWords);
    this.#point(pointer, composite, words);
    this.#words[this.#at] = count << 2;
    this.#words[this.#at + 1] = dataWords | (pointerWords << 16);
    const first = this.#at + 2;
    this.#at = first + 2 * words;
    return first;
  }

  #communities(pointer: number, communities: RouteUpdate["communities"]): void {
    const { length } = communities;
    if (length > 0) {
      const first = this.#structs(pointer, length, at.communityDataWords, at.communityPointerWords);
      for (let i = 0; i < length; i++) {
        const one = communities[i];
        this.#words[first + 2 * i + (at.communityAsnOffset >> 2)] = one?.[0] ?? 0;
        this.#words[first + 2 * i + (at.communityValueOffset >> 2)] = (one?.[1] ?? 0) & 0xffff;
      }
    }
  }

  #extended(pointer: number, communities: RouteUpdate["extendedCommunities"]): void {
    const { length } = communities;
    if (length > 0) {
      const [dataWords, pointerWords] = [at.extendedCommunityDataWords, at.extendedCommunityPointerWords];
      let next = this.#structs(pointer, length, dataWords, pointerWords);
      for (const [typeHigh, typeLow, value] of communities) {
        this.bytes[4 * next + at.extendedCommunityTypeHighOffset] = typeHigh;
        this.bytes[4 * next + at.extendedCommunityTypeLowOffset] = typeLow;
        this.#bytesAt(next + 2 * (dataWords + at.extendedCommunityValuePointer), value, value.length);
        next += 2 * (dataWords + pointerWords);
      }
    }
  }

  #large(pointer: number, communities: RouteUpdate["largeCommunities"]): void {
    const { length } = communities;
    if (length > 0) {
      let next = this.#structs(pointer, length, at.largeCommunityDataWords, at.largeCommunityPointerWords);
      for (let i = 0; i < length; i++) {
        const one = communities[i];
        this.#words[next + (at.largeCommunityGlobalAdminOffset >> 2)] = one?.[0] ?? 0;
        this.#words[next + (at.largeCommunityLocalDataPart1Offset >> 2)] = one?.[1] ?? 0;
        this.#words[next + (at.largeCommunityLocalDataPart2Offset >> 2)] = one?.[2] ?? 0;
        next += 2 * at.largeCommunityDataWords;
      }
    }
  }
}

/** Written into the root's data, which begin at word `data` and are zeros. */
function writeNumbers(words: Uint32Array, data: number, update: RouteUpdate): void {
  words[data + (at.updatePeerBgpIdOffset >> 2)] = update.peerBgpId;
  words[data + (at.updatePeerAsnOffset >> 2)] = update.peerAsn;
  words[data + (at.updateMultiExitDiscOffset >> 2)] = update.multiExitDisc;
  words[data + (at.updateLocalPreferenceOffset >> 2)] = update.localPreference;
  words[data + (at.updateOnlyToCustomerOffset >> 2)] = update.onlyToCustomer;
  words[data + (at.updateAggregatorAsnOffset >> 2)] = update.aggregatorAsn;
  words[data + (at.updateAggregatorBgpIdOffset >> 2)] = update.aggregatorBgpId;
  words[data + (at.updateOriginatorIdOffset >> 2)] = update.originatorId;
  writePart(words, data, at.updateRouterPortOffset, update.routerPort & 0xffff);
  writePart(words, data, at.updateMpReachAfiOffset, update.mpReachAfi & 0xffff);
  writePart(words, data, at.updateMpUnreachAfiOffset, update.mpUnreachAfi & 0xffff);
  writePart(words, data, at.updatePrefixLenOffset, update.prefixLen & 0xff);
  writePart(words, data, at.updateMpReachSafiOffset, update.mpReachSafi & 0xff);
  writePart(words, data, at.updateMpUnreachSafiOffset, update.mpUnreachSafi & 0xff);
  writePart(words, data, at.updateAnnouncedBit >> 3, flagsOf(update));
}

/** Fewer than 32 bits, at byte `offset` of the data. */
function writePart(words: Uint32Array, data: number, offset: number, value: number): void {
  const place = data + (offset >> 2);
  words[place] = (words[place] ?? 0) | (value << (8 * (offset & 3)));
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
  const structs = structWords(communities.length, at.communityDataWords);
  const large = structWords(largeCommunities.length, at.largeCommunityDataWords);
  return plain + structs + large + extendedWords(extendedCommunities);
}

function structWords(count: number, words: number): number {
  return count === 0 ? 0 : 1 + count * words;
}

/** The values have six bytes in BGP; a message of others may have more. */
function extendedWords(communities: RouteUpdate["extendedCommunities"]): number {
  let words = structWords(
    communities.length,
    at.extendedCommunityDataWords + at.extendedCommunityPointerWords,
  );
  for (let i = 0; i < communities.length; i++) {
    words += wordsFor(communities[i]?.[2].length ?? 0);
  }
  return words;
}
