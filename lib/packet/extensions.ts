/**
 * MPLS labels in ICMP errors (RFC 4950), inside ICMP extensions (RFC 4884).
 *
 *     extension structure: version 4 bits | reserved 12 | checksum 2 | objects
 *     object:              length 2 (header included) | class 1 | type 1 | payload
 *     MPLS label stack:    class 1, type 1; entries of label 20 bits | exp 3 | bottom of stack 1 | ttl 8
 *
 * A compliant sender says in the ICMP header how long the quote is. Legacy routers do not, and put the structure
 * behind a quote of exactly 128 bytes (RFC 4884 s.5.5); there the checksum must prove that it is one.
 */
import { type MplsLabel, mplsLabelsMax } from "./reply.ts";

/** Where the extension structure may stand, and how much of the packet there is. */
export interface ExtensionPlace {
  readonly at: number;
  readonly endAt: number;
  /** The structure was cut off in the capture: its checksum says nothing, so it is left out. */
  readonly cut: boolean;
  readonly legacy: boolean;
}

export const legacyQuoteBytes = 128;
const structureHeaderBytes = 4;
const objectHeaderBytes = 4;
const mplsEntryBytes = 4;
const extensionVersion = 2;

/** The labels of a valid structure; empty when there is none. Objects of other classes are passed over. */
export function readMplsLabels(frame: DataView, place: ExtensionPlace): MplsLabel[] {
  const labels: MplsLabel[] = [];
  if (!isExtensionStructure(frame, place)) {
    return labels;
  }
  let at = place.at + structureHeaderBytes;
  while (at + objectHeaderBytes <= place.endAt) {
    const length = frame.getUint16(at);
    if (length < objectHeaderBytes || at + length > place.endAt) {
      break;
    }
    if (frame.getUint16(at + 2) === 0x0101) {
      readEntries(frame, at + objectHeaderBytes, at + length, labels);
    }
    at += length;
  }
  return labels;
}

/** RFC 4884 s.7: a checksum of zero means that none was sent; legacy senders must have sent one. */
export function isExtensionStructure(frame: DataView, place: ExtensionPlace): boolean {
  if (place.cut || place.at + structureHeaderBytes > place.endAt) {
    return false;
  }
  if (frame.getUint8(place.at) >> 4 !== extensionVersion) {
    return false;
  }
  if (frame.getUint16(place.at + 2) === 0) {
    return !place.legacy;
  }
  return onesSum(frame, place.at, place.endAt) === 0xffff;
}

function readEntries(frame: DataView, from: number, to: number, labels: MplsLabel[]): void {
  for (let at = from; at + mplsEntryBytes <= to && labels.length < mplsLabelsMax; at += mplsEntryBytes) {
    const entry = frame.getUint32(at);
    labels.push({
      label: entry >>> 12,
      exp: (entry >>> 9) & 7,
      bottomOfStack: ((entry >>> 8) & 1) === 1,
      ttl: entry & 0xff,
    });
  }
}

function onesSum(frame: DataView, from: number, to: number): number {
  let sum = 0;
  for (let at = from; at + 1 < to; at += 2) {
    sum += frame.getUint16(at);
  }
  if ((to - from) % 2 === 1) {
    sum += frame.getUint8(to - 1) << 8;
  }
  // A packet has at most 2^15 words, so two folds are enough.
  sum = (sum & 0xffff) + (sum >>> 16);
  return (sum & 0xffff) + (sum >>> 16);
}
