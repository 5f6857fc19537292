/**
 * MPLS labels in ICMP errors (RFC 4950), inside ICMP extensions (RFC 4884).
 *
 *     extension structure: version 4 bits | reserved 12 | checksum 2 | objects
 *     object:              length 2 (header included) | class 1 | type 1 | payload
 *     MPLS label stack:    class 1, type 1; entries of label 20 bits | exp 3 | bottom of stack 1 | ttl 8
 *
 * A compliant sender says in the ICMP header how long the quote is, at least 128 bytes; a checksum of zero is none
 * (RFC 4884 s.7). Legacy routers do not say it, and put the structure behind a quote of exactly 128 bytes (s.5.5).
 * Others leave anything in that field. So these places are tried in turn, and the quote ends at the first that holds:
 *
 * 1. where the length says, when that is 128 bytes or more and inside the packet: version 2, checksum right or zero;
 * 2. at byte 128: version 2, checksum right;
 * 3. where a length below 128 says, when the quote still holds a probe's headers: as 1, and with reserved bits of zero
 *    when there is no checksum, as these may be the probe's own bytes;
 * 4. a length of 128 bytes or more, inside the packet, ends the quote, whatever is behind it;
 * 5. else all is quote: the length is zero, too short, or beyond the packet.
 */
import { type MplsLabel, mplsLabelsMax } from "../../lib/net/packet/reply.ts";
import { onesComplementSum } from "./ones-complement-sum.ts";

/** The closed list of reasons why labels that a router may have sent are not in the reply. */
export const labelLosses = [
  /** Behind the quote stands no structure of version 2. */
  "badVersion",
  "badChecksum",
  /** The capture ends before the structure does: its checksum says nothing. */
  "cut",
  /** An object's length contradicts the packet's: what stands before it is kept. */
  "malformed",
  /** More than `mplsLabelsMax`: the top ones are kept. */
  "tooMany",
] as const;
export type LabelLoss = (typeof labelLosses)[number];

/** The part of an ICMP error behind its 8 bytes of header. */
interface ErrorBody {
  readonly quoteAt: number;
  /** What the header says; 0 = nothing. */
  readonly declaredBytes: number;
  /** Fewer hold no IP header and 8 bytes behind it. */
  readonly quoteBytesMin: number;
  readonly endAt: number;
  readonly wireEndAt: number;
}

export interface Extension {
  readonly quoteEndAt: number;
  readonly labels: readonly MplsLabel[];
  readonly loss: LabelLoss | null;
}

const legacyQuoteBytes = 128;
const structureHeaderBytes = 4;
const objectHeaderBytes = 4;
const mplsEntryBytes = 4;
const extensionVersion = 2;

export function readExtension(frame: DataView, body: ErrorBody): Extension {
  const { quoteAt, declaredBytes, quoteBytesMin, endAt, wireEndAt } = body;
  const declaredAt = quoteAt + declaredBytes;
  const isInside = declaredBytes > 0 && declaredAt <= wireEndAt;
  const isLong = declaredBytes >= legacyQuoteBytes && isInside;
  const declared = stateAt(frame, body, declaredAt);
  if (isLong && isValid(declared)) {
    return readObjects(frame, declaredAt, endAt);
  }
  const legacyAt = quoteAt + legacyQuoteBytes;
  const legacy = stateAt(frame, body, legacyAt);
  if (legacy === "proven") {
    return readObjects(frame, legacyAt, endAt);
  }
  if (isLong) {
    return { quoteEndAt: declaredAt, labels: [], loss: declared === "none" ? null : lossOf(declared) };
  }
  const isShort = isInside && declaredBytes >= quoteBytesMin;
  const isPlain = declared === "unproven" && frame.getUint16(declaredAt) === extensionVersion << 12;
  if (isShort && (declared === "proven" || isPlain)) {
    return readObjects(frame, declaredAt, endAt);
  }
  const isBroken =
    looksBroken(frame, legacy, legacyAt) || (isShort && looksBroken(frame, declared, declaredAt));
  return { quoteEndAt: endAt, labels: [], loss: isBroken ? "badChecksum" : null };
}

/** What begins as a structure does, to the last reserved bit, may be one; any other bytes are the quote's. */
function looksBroken(frame: DataView, state: State, at: number): boolean {
  const isUnproven = state === "badChecksum" || state === "unproven";
  return isUnproven && frame.getUint16(at) === extensionVersion << 12;
}

type State = "none" | "cut" | "badVersion" | "badChecksum" | "unproven" | "proven";

function isValid(state: State): boolean {
  return state === "proven" || state === "unproven";
}

function lossOf(state: State): LabelLoss | null {
  return state === "cut" || state === "badVersion" || state === "badChecksum" ? state : null;
}

/** What stands at a place: no room for a structure, part of one, or one whose checksum is wrong, absent or right. */
function stateAt(frame: DataView, { endAt, wireEndAt }: ErrorBody, at: number): State {
  if (at + structureHeaderBytes > wireEndAt) {
    return "none";
  }
  if (endAt < wireEndAt) {
    return "cut";
  }
  if (frame.getUint8(at) >> 4 !== extensionVersion) {
    return "badVersion";
  }
  if (frame.getUint16(at + 2) === 0) {
    return "unproven";
  }
  return onesComplementSum(frame, at, endAt) === 0xffff ? "proven" : "badChecksum";
}

/** Objects of other classes are passed over; a length of zero is padding. */
function readObjects(frame: DataView, structureAt: number, endAt: number): Extension {
  const labels: MplsLabel[] = [];
  let loss: LabelLoss | null = null;
  let at = structureAt + structureHeaderBytes;
  while (at + objectHeaderBytes <= endAt) {
    const length = frame.getUint16(at);
    if (length < objectHeaderBytes || at + length > endAt) {
      loss ??= length === 0 ? null : "malformed";
      break;
    }
    if (
      frame.getUint16(at + 2) === 0x0101 &&
      readEntries(frame, at + objectHeaderBytes, at + length, labels)
    ) {
      loss = "tooMany";
    }
    at += length;
  }
  return { quoteEndAt: structureAt, labels, loss };
}

/** Whether there are more than are kept. */
function readEntries(frame: DataView, from: number, to: number, labels: MplsLabel[]): boolean {
  for (let at = from; at + mplsEntryBytes <= to; at += mplsEntryBytes) {
    if (labels.length === mplsLabelsMax) {
      return true;
    }
    const entry = frame.getUint32(at);
    labels.push({
      label: entry >>> 12,
      exp: (entry >>> 9) & 7,
      bottomOfStack: ((entry >>> 8) & 1) === 1,
      ttl: entry & 0xff,
    });
  }
  return false;
}
