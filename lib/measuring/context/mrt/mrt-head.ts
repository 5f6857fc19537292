/** The head of an MRT record, and whether bytes can be one. */

export interface MrtHead {
  readonly timeSec: number;
  readonly type: number;
  readonly subtype: number;
  readonly length: number;
}

export const headBytes = 12;

/** The peer index of a large collector has 60 kB, a prefix seen by 1,000 peers 200 kB: more is not a record. */
const bodyBytesMax = 16 * 1024 * 1024;

/** IANA's registry: from NULL to OSPFv3_ET. */
const types: ReadonlySet<number> = new Set([
  ...[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 16, 17, 32, 33, 48, 49],
]);
/** Those before are of 1998 and deprecated. */
const oldestInUse = 11;
/** TABLE_DUMP_V2 has the most, 12 (RFC 8050). */
const subtypeMax = 16;
/** Files of collectors cover minutes; the dump of a table, some hours. */
const nearSec = 86_400;

/** Null where the bytes end within it. */
export function mrtHeadAt(bytes: Uint8Array, at: number): MrtHead | null {
  if (bytes.length - at < headBytes) {
    return null;
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset + at, headBytes);
  return {
    timeSec: view.getUint32(0),
    type: view.getUint16(4),
    subtype: view.getUint16(6),
    length: view.getUint32(8),
  };
}

/** Why this cannot be the head of a record; null = it can. A new type counts where its time is near the last one's. */
export function headFailure(head: MrtHead, last: MrtHead | null): string | null {
  const { type, length } = head;
  if (length > bodyBytesMax) {
    return `a record of ${length} bytes is longer than any in an MRT file: is this one?`;
  }
  const isUnknown = !types.has(type) && last !== null && !isTimeNear(head, last);
  return isUnknown ? `here a record should begin, and its type ${type} is not known` : null;
}

/** Whether a record can begin here, behind damage: one of a type in use, and of about the time of the last one. */
export function isHeadNear(head: MrtHead, last: MrtHead): boolean {
  const isInUse = types.has(head.type) && head.type >= oldestInUse && head.subtype <= subtypeMax;
  return isInUse && head.length <= bodyBytesMax && isTimeNear(head, last);
}

/** Where the first record begins that can follow the last one, of those that begin before `to`; null = none does. */
export function nextHeadAt(bytes: Uint8Array, from: number, to: number, last: MrtHead): number | null {
  for (let at = from; at < to; at++) {
    const head = mrtHeadAt(bytes, at);
    if (head === null) {
      return null;
    }
    if (isHeadNear(head, last)) {
      const behind = mrtHeadAt(bytes, at + headBytes + head.length);
      if (behind === null || isHeadNear(behind, last)) {
        return at;
      }
    }
  }
  return null;
}

function isTimeNear(head: MrtHead, last: MrtHead): boolean {
  return Math.abs(head.timeSec - last.timeSec) <= nearSec;
}
