/**
 * Reads the path attributes of an UPDATE with the error handling of RFC 7606: a malformed attribute is handled as
 * `attribute-types.ts` defines, and the remaining ones are still read.
 *
 * | bytes  | field                                                              |
 * |--------|--------------------------------------------------------------------|
 * | 1      | flags; 0x10 = the length has two bytes                             |
 * | 1      | type                                                               |
 * | 1 or 2 | length of the value                                                |
 * |        | value                                                              |
 *
 * Optional attributes of other types are skipped. If an attribute occurs twice, the first one counts (s.3 g).
 */
import { joinedPath, u16At } from "./as-path.ts";
import { attributeCodes, attributeTypes, optional, type Reading, transitive } from "./attribute-types.ts";
import type { NlriReader } from "./nlri.ts";
import { noAttributes } from "./path-attributes.ts";

/** What is wrong with an UPDATE. */
export interface Damage {
  /** The attribute's name; null = the fault is outside of attributes. */
  readonly attribute: string | null;
  readonly reason: string;
}

/** Session properties that decide how its messages are read. */
export interface SessionFacts {
  /** 2 for a session without four-byte AS numbers (RFC 6793), else 4. */
  readonly asnBytes: 2 | 4;
  readonly nlri: NlriReader;
  /** Whether the neighbour has another AS; false also where that is unknown. */
  readonly isExternal: boolean;
  /** Whether each IPv4 route has a next hop: FRR omits IPv6 next hops in routes that it sends by BMP. */
  readonly hasNextHops: boolean;
}

/** An UPDATE's attributes, which may hold prefixes too (RFC 4760). */
interface ReadAttributes extends Reading {
  /** Codes of the attributes that were read, well-formed or not. */
  readonly codes: number[];
  /** Why the whole UPDATE counts as malformed. */
  malformed: Damage | null;
  /** Attributes that are left out. */
  readonly discarded: Damage[];
}

const extendedLength = 0x10;
/** AS_TRANS (RFC 6793): stands for an AS number that does not fit into two bytes. */
const asTrans = 23_456;

/** An attribute's position in its message. */
interface Place {
  readonly bytes: Uint8Array;
  readonly flags: number;
  readonly type: number;
  readonly start: number;
  readonly end: number;
}

/** Reads a message's attributes from `start` up to, not including, `end`. Hot: called for millions of messages. */
export function readAttributes(
  bytes: Uint8Array,
  { start, end }: { readonly start: number; readonly end: number },
  session: SessionFacts,
): ReadAttributes {
  const reading: ReadAttributes = {
    attributes: noAttributes(),
    asnBytes: session.asnBytes,
    nlri: session.nlri,
    announced: [],
    withdrawn: [],
    nextHop: null,
    endOf: null,
    otherFamilies: 0,
    as4Path: null,
    as4Aggregator: null,
    codes: [],
    malformed: null,
    discarded: [],
  };
  for (let at = start; at < end; ) {
    const place = placeAt(bytes, at);
    if (place.end > end) {
      // Nothing after it can be read (RFC 7606 s.4).
      reading.malformed ??= cutShort(place, { at, start, end });
      break;
    }
    readOne(reading, place, session);
    reading.codes.push(place.type);
    at = place.end;
  }
  joinWide(reading);
  return reading;
}

/** Its end may be past that of the attributes. */
function placeAt(bytes: Uint8Array, at: number): Place {
  const flags = bytes[at] ?? 0;
  const isLong = (flags & extendedLength) !== 0;
  const start = at + (isLong ? 4 : 3);
  const length = isLong ? u16At(bytes, at + 2) : (bytes[at + 2] ?? 0);
  return { bytes, flags, type: bytes[at + 1] ?? 0, start, end: start + length };
}

function cutShort(
  { type, start: valueAt, end: valueEnd }: Place,
  { at, start, end }: { readonly at: number; readonly start: number; readonly end: number },
): Damage {
  return valueAt > end
    ? {
        attribute: null,
        reason: `the attributes end within the head of one, at their byte ${at - start}`,
      }
    : damaged(type, `attribute ${type} has ${end - valueAt} of ${valueEnd - valueAt} bytes`);
}

function readOne(reading: ReadAttributes, place: Place, { isExternal }: SessionFacts): void {
  const { flags, type } = place;
  const known = attributeTypes[type];
  if (known === undefined) {
    if ((flags & optional) === 0) {
      const reason = `attribute ${type} is unknown, and its flags mark it as well-known`;
      reading.malformed ??= damaged(type, reason);
    }
    return;
  }
  const isRepeated = reading.codes.includes(type);
  const isMultiprotocol = type === attributeCodes.reach || type === attributeCodes.unreach;
  if (isRepeated && !isMultiprotocol) {
    reading.discarded.push(damaged(type, `attribute ${type} comes twice`));
    return;
  }
  // Including prefixes of a second MP_REACH_NLRI: they are withdrawn.
  const reason = valueFailure(known, reading, place);
  if (isRepeated) {
    reading.malformed ??= damaged(type, `attribute ${type} comes twice`);
  } else if (reason !== null) {
    const isLeftOut = known.cost === "discard" || (known.cost === "discard if external" && isExternal);
    if (isLeftOut) {
      reading.discarded.push(damaged(type, reason));
    } else {
      reading.malformed ??= damaged(type, reason);
    }
  } else if ((flags & (optional | transitive)) !== known.flags) {
    reading.malformed ??= damaged(type, `attribute ${type} has the flags 0x${flags.toString(16)}`);
  }
}

/** Why a value cannot be read; null = it was read. */
function valueFailure(
  { read }: NonNullable<(typeof attributeTypes)[number]>,
  reading: Reading,
  place: Place,
): string | null {
  try {
    read(reading, place);
    return null;
  } catch (error) {
    return reasonOf(error);
  }
}

/** Why prefixes cannot be read. Rethrows anything but a RangeError. */
export function reasonOf(error: unknown): string {
  if (error instanceof RangeError) {
    return error.message;
  }
  throw error;
}

export function damaged(type: number, reason: string): Damage {
  return { attribute: attributeTypes[type]?.name ?? `attribute ${type}`, reason };
}

/**
 * Two-byte sessions carry the real AS numbers in AS4_PATH and AS4_AGGREGATOR. Both are ignored when AS4_AGGREGATOR
 * accompanies an AGGREGATOR whose AS is not AS_TRANS (RFC 6793 s.4.2.3), and in all four-byte sessions (s.6).
 */
function joinWide({ attributes, asnBytes, as4Path, as4Aggregator }: Reading): void {
  const { aggregator, asPath } = attributes;
  const isOutdated = as4Aggregator !== null && aggregator !== null && aggregator.asn !== asTrans;
  if (asnBytes === 4 || isOutdated) {
    return;
  }
  if (as4Path !== null) {
    attributes.asPath = joinedPath(asPath, as4Path);
  }
  if (as4Aggregator !== null && aggregator !== null) {
    attributes.aggregator = as4Aggregator;
  }
}
