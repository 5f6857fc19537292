/**
 * The routes of a collector's peers for one prefix: a RIB record of an MRT file (RFC 6396 s.4.3, RFC 8050 s.4).
 *
 * | field                      | bytes             |
 * |----------------------------|-------------------|
 * | sequence number            | 4                 |
 * | length of the prefix, bits | 1                 |
 * | prefix                     | ceil(bits / 8)    |
 * | entries                    | 2                 |
 *
 * and for each entry: peer index 2, time 4, with add-path its path id 4, length of the attributes 2, the attributes
 * (u8 flags with 0x10 = two bytes of length, u8 type, length, value).
 */
import { type Words, wordAt, wordsOf } from "../../../net/ip/words.ts";
import type { RibPrefix } from "../origin-votes.ts";
import type { PeerPaths } from "../peer-paths.ts";
import type { MrtRecord } from "./mrt-records.ts";
import type { PeerIndex } from "./peer-index.ts";

/** Subtypes of TABLE_DUMP_V2 that this reads: unicast of both families, also with add-path. */
const subtypes: Readonly<Record<number, { readonly isIpv4: boolean; readonly hasPathId: boolean }>> = {
  2: { isIpv4: true, hasPathId: false },
  4: { isIpv4: false, hasPathId: false },
  8: { isIpv4: true, hasPathId: true },
  10: { isIpv4: false, hasPathId: true },
};

const tableDumpV2 = 13;
const asPathType = 2;
const extendedLength = 0x10;

export function isRibRecord(record: MrtRecord): boolean {
  return record.type === tableDumpV2 && record.subtype in subtypes;
}

interface RibReading {
  /** Is emptied and filled; the caller keeps it, as there are millions of records. */
  readonly paths: PeerPaths;
  readonly peers: PeerIndex;
  /** Called for each entry of an unknown peer, or whose attributes cannot be read. */
  readonly onBroken: (reason: string) => void;
}

/**
 * Reads one RIB record; a peer counts once, by its first entry with a path, however many it has.
 *
 * @throws RangeError when the record is cut short or a prefix too long for its family
 */
export function readRibRecord(record: MrtRecord, { paths, peers, onBroken }: RibReading): RibPrefix {
  paths.clear();
  peers.nextPrefix();
  const { body } = record;
  const view = new DataView(body.buffer, body.byteOffset, body.length);
  const { isIpv4, hasPathId } = subtypes[record.subtype] ?? { isIpv4: true, hasPathId: false };
  const bits = view.getUint8(4);
  const prefixBytes = Math.ceil(bits / 8);
  if (bits > (isIpv4 ? 32 : 128)) {
    throw new RangeError(`a prefix of ${bits} bits`);
  }
  const base = baseOf(body.subarray(5, 5 + prefixBytes), isIpv4);
  for (const { peer, at, end } of entriesOf(view, 5 + prefixBytes, hasPathId)) {
    const path = asPathIn(view, at, end);
    if (typeof path === "string") {
      onBroken(path);
    } else if (!peers.has(peer)) {
      onBroken(`peer ${peer}, which the index of peers does not have`);
    } else if (path !== null && peers.isFirst(peer)) {
      paths.add(path);
    }
  }
  return { base, bits: isIpv4 ? bits + 96 : bits };
}

/** A peer's attributes are from `at` up to, not including, `end`. */
interface RibEntry {
  readonly peer: number;
  readonly at: number;
  readonly end: number;
}

/** All are found before one counts. */
function entriesOf(view: DataView, start: number, hasPathId: boolean): RibEntry[] {
  const found: RibEntry[] = [];
  let at = start + 2;
  for (let left = view.getUint16(start); left > 0; left--) {
    const peer = view.getUint16(at);
    at += hasPathId ? 10 : 6;
    const end = at + 2 + view.getUint16(at);
    if (end > view.byteLength) {
      throw new RangeError(`entry ${found.length} has attributes beyond its end`);
    }
    found.push({ peer, at: at + 2, end });
    at = end;
  }
  if (at < view.byteLength) {
    throw new RangeError(`${view.byteLength - at} bytes behind its entries`);
  }
  return found;
}

/** The value of AS_PATH among these attributes; null when there is none, text when they cannot be read. */
function asPathIn(view: DataView, start: number, end: number): Uint8Array | string | null {
  for (let at = start; at < end; ) {
    const isLong = (view.getUint8(at) & extendedLength) !== 0;
    const value = at + (isLong ? 4 : 3);
    const length = value > end ? 0 : isLong ? view.getUint16(at + 2) : view.getUint8(at + 2);
    if (value + length > end) {
      return `an attribute of ${length} bytes in ${end - at}`;
    }
    if (view.getUint8(at + 1) === asPathType) {
      return new Uint8Array(view.buffer, view.byteOffset + value, length);
    }
    at = value + length;
  }
  return null;
}

function baseOf(bytes: Uint8Array, isIpv4: boolean): Words {
  return isIpv4 ? [0, 0, 0xffff, wordAt(bytes, 0)] : wordsOf(bytes);
}
