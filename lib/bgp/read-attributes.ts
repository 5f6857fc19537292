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
interface ReadAttributes extends Omit<Reading, "as4Path" | "as4Aggregator"> {
  /** Whether an attribute of this code was read, well-formed or not. */
  readonly has: (code: number) => boolean;
  /** What makes all of the UPDATE count as malformed. */
  readonly malformed: Damage | null;
  /** Attributes that are left out. */
  readonly discarded: readonly Damage[];
}

const extendedLength = 0x10;
/** AS_TRANS (RFC 6793): stands for an AS number that does not fit into two bytes. */
const asTrans = 23_456;

/** Where an attribute is in its message. */
interface Place {
  readonly flags: number;
  readonly type: number;
  readonly start: number;
  readonly end: number;
}

/** Reads the attributes of a message from `start` up to, not including, `end`. */
export function readAttributes(
  bytes: Uint8Array,
  { start, end }: { readonly start: number; readonly end: number },
  session: SessionFacts,
): ReadAttributes {
  const { asnBytes, nlri } = session;
  const reading: Reading = {
    ...{ attributes: noAttributes(), asnBytes, nlri, announced: [], withdrawn: [] },
    ...{ nextHop: null, endOf: null, as4Path: null, as4Aggregator: null },
  };
  const seen = new Uint8Array(256);
  const discarded: Damage[] = [];
  let malformed: Damage | null = null;
  for (let at = start; at < end; ) {
    const place = placeAt(bytes, at, { start, end });
    if ("reason" in place) {
      malformed ??= place;
      break;
    }
    const fault = readOne(reading, bytes, { place, isRepeated: seen[place.type] === 1, session });
    seen[place.type] = 1;
    if (fault?.cost === "discard") {
      discarded.push(fault.damage);
    } else if (fault !== null) {
      malformed ??= fault.damage;
    }
    at = place.end;
  }
  joinWide(reading);
  return { ...reading, has: (code) => seen[code] === 1, malformed, discarded };
}

/** The attribute at `at`, or why there is none: nothing behind it can be read then (RFC 7606 s.4). */
function placeAt(
  bytes: Uint8Array,
  at: number,
  { start, end }: Pick<Place, "start" | "end">,
): Place | Damage {
  const flags = bytes[at] ?? 0;
  const isLong = (flags & extendedLength) !== 0;
  const head = isLong ? 4 : 3;
  if (at + head > end) {
    const reason = `the attributes end within the head of one, at their byte ${at - start}`;
    return { attribute: null, reason };
  }
  const type = bytes[at + 1] ?? 0;
  const length = isLong ? u16At(bytes, at + 2) : (bytes[at + 2] ?? 0);
  const valueAt = at + head;
  return valueAt + length > end
    ? damaged(type, `attribute ${type} has ${end - valueAt} of ${length} bytes`)
    : { flags, type, start: valueAt, end: valueAt + length };
}

interface Fault {
  readonly damage: Damage;
  readonly cost: "withdraw" | "discard";
}

interface Order {
  readonly place: Place;
  readonly isRepeated: boolean;
  readonly session: SessionFacts;
}

/** Returns what is wrong with it; null = nothing. */
function readOne(reading: Reading, bytes: Uint8Array, { place, isRepeated, session }: Order): Fault | null {
  const { flags, type } = place;
  const known = attributeTypes[type];
  if (known === undefined) {
    const reason = `attribute ${type} is unknown, and its flags say that it is well-known`;
    return (flags & optional) === 0 ? { damage: damaged(type, reason), cost: "withdraw" } : null;
  }
  const isMultiprotocol = type === attributeCodes.reach || type === attributeCodes.unreach;
  if (isRepeated && !isMultiprotocol) {
    return { damage: damaged(type, `attribute ${type} comes twice`), cost: "discard" };
  }
  const reason = readingFailure(() => known.read(reading, { bytes, ...place }));
  if (isRepeated) {
    // The prefixes of both are known now, and are withdrawn.
    return { damage: damaged(type, `attribute ${type} comes twice`), cost: "withdraw" };
  }
  if (reason !== null) {
    const isLeftOut =
      known.cost === "discard" || (known.cost === "discard if external" && session.isExternal);
    return { damage: damaged(type, reason), cost: isLeftOut ? "discard" : "withdraw" };
  }
  return (flags & (optional | transitive)) === known.flags
    ? null
    : { damage: damaged(type, `attribute ${type} has the flags 0x${flags.toString(16)}`), cost: "withdraw" };
}

/** The reason why bytes cannot be read; null = they are read. */
export function readingFailure(read: () => void): string | null {
  try {
    read();
    return null;
  } catch (error) {
    if (error instanceof RangeError) {
      return error.message;
    }
    throw error;
  }
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
