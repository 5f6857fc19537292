/**
 * Reads the path attributes of an UPDATE, with the error handling of RFC 7606: an attribute that does not fit its type
 * costs what `attribute-types.ts` says, and the others are read all the same.
 *
 * | bytes  | field                                                              |
 * |--------|--------------------------------------------------------------------|
 * | 1      | flags; 0x10 = the length has two bytes                             |
 * | 1      | type                                                               |
 * | 1 or 2 | length of the value                                                |
 * |        | value                                                              |
 *
 * Optional attributes of other types are skipped. Of an attribute that comes twice the first counts (s.3 g).
 */
import { joinedPath, u16At } from "./as-path.ts";
import { attributeCodes, attributeTypes, optional, type Reading, transitive } from "./attribute-types.ts";
import type { NlriReader } from "./nlri.ts";
import { noAttributes } from "./path-attributes.ts";

/** What is wrong with an UPDATE. */
export interface Damage {
  /** The name of the attribute; null = it is not in one. */
  readonly attribute: string | null;
  readonly reason: string;
}

/** Facts of a session that decide how its messages are read. */
export interface SessionFacts {
  /** 2 for a session without four-byte AS numbers (RFC 6793), else 4. */
  readonly asnBytes: 2 | 4;
  readonly nlri: NlriReader;
  /** Whether the neighbour has another AS; false also where that is unknown. */
  readonly isExternal: boolean;
  /** Whether each IPv4 route has a next hop: FRR leaves one of IPv6 out where it sends routes by BMP. */
  readonly hasNextHops: boolean;
}

/** What an UPDATE says in attributes: they hold prefixes too (RFC 4760). */
interface ReadAttributes extends Reading {
  /** Codes of the attributes that were read, well-formed or not. */
  readonly codes: number[];
  /** What makes all of the UPDATE count as malformed. */
  malformed: Damage | null;
  /** Attributes that are left out. */
  readonly discarded: Damage[];
}

const extendedLength = 0x10;
/** AS_TRANS (RFC 6793): stands for an AS number that does not fit into two bytes. */
const asTrans = 23_456;

/** Where an attribute is in its message. */
interface Place {
  readonly bytes: Uint8Array;
  readonly flags: number;
  readonly type: number;
  readonly start: number;
  readonly end: number;
}

/** Reads the attributes of a message from `start` up to, not including, `end`. There are millions of messages. */
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
    as4Path: null,
    as4Aggregator: null,
    codes: [],
    malformed: null,
    discarded: [],
  };
  for (let at = start; at < end; ) {
    const place = placeAt(bytes, at);
    if (place.end > end) {
      // Nothing behind it can be read (RFC 7606 s.4).
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

/** It may end behind the attributes. */
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
      const reason = `attribute ${type} is unknown, and its flags say that it is well-known`;
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
  // Prefixes of a second MP_REACH_NLRI too: they are withdrawn.
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

/** The reason why a value cannot be read; null = it is read. */
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

/** The reason why prefixes cannot be read. Throws any other error than a RangeError. */
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
 * Two-byte sessions carry the real AS numbers in AS4_PATH and AS4_AGGREGATOR; both are ignored where an AGGREGATOR of
 * another AS than AS_TRANS is beside an AS4_AGGREGATOR (RFC 6793 s.4.2.3), and in all four-byte sessions (s.6).
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
