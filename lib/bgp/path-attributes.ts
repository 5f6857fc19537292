/**
 * Path attributes of BGP, as a monitor reads them.
 *
 * | bytes  | field                                                              |
 * |--------|--------------------------------------------------------------------|
 * | 1      | flags; 0x10 = the length has two bytes                             |
 * | 1      | type                                                               |
 * | 1 or 2 | length of the value                                                |
 * |        | value                                                              |
 *
 * Integers are big endian (RFC 4271 s.4.3). Attributes of other types are skipped. An attribute whose length does not
 * fit its type throws a RangeError that names it: half a route must not be shown as a whole one.
 */
import { type Address, type Family, mapped } from "../ip/address.ts";
import { wordAt } from "../ip/words.ts";
import { type AsPath, joinedPath, readAsPath, u16At } from "./as-path.ts";
import { familyIn, readReachable, readUnreachable } from "./multiprotocol.ts";
import type { NlriReader, RoutePrefix } from "./nlri.ts";

const origins = ["IGP", "EGP", "INCOMPLETE"] as const;

interface Aggregator {
  readonly asn: number;
  readonly address: Address;
}

export interface PathAttributes {
  origin: (typeof origins)[number] | null;
  asPath: AsPath;
  /** IPv4 routes have it in an attribute of its own, all others in MP_REACH_NLRI. */
  nextHop: Address | null;
  med: number | null;
  localPreference: number | null;
  isAtomicAggregate: boolean;
  aggregator: Aggregator | null;
  /** RFC 1997, as two halves. */
  communities: readonly (readonly [asn: number, value: number])[];
  /** RFC 4360: the 8 bytes of each, in hexadecimal. */
  extendedCommunities: readonly string[];
  /** RFC 8092. */
  largeCommunities: readonly (readonly [asn: number, first: number, second: number])[];
  originatorId: Address | null;
  clusterList: readonly Address[];
  /** RFC 9234. */
  onlyToCustomer: number | null;
}

/** What an UPDATE says in attributes: they hold prefixes too (RFC 4760). */
interface ReadAttributes {
  readonly attributes: PathAttributes;
  readonly announced: readonly RoutePrefix[];
  readonly withdrawn: readonly RoutePrefix[];
  /** The family of an MP_UNREACH_NLRI without prefixes: the end of the table (RFC 4724). */
  readonly endOf: Family | null;
}

interface Reading {
  readonly attributes: PathAttributes;
  readonly asnBytes: 2 | 4;
  readonly nlri: NlriReader;
  announced: readonly RoutePrefix[];
  withdrawn: readonly RoutePrefix[];
  endOf: Family | null;
  /** RFC 6793: from a session with two-byte AS numbers. */
  as4Path: AsPath | null;
  as4Aggregator: Aggregator | null;
}

const extendedLength = 0x10;
/** AS_TRANS (RFC 6793): stands for an AS number that does not fit into two bytes. */
const asTrans = 23_456;

export function noAttributes(): PathAttributes {
  return {
    origin: null,
    asPath: [],
    nextHop: null,
    med: null,
    localPreference: null,
    isAtomicAggregate: false,
    aggregator: null,
    communities: [],
    extendedCommunities: [],
    largeCommunities: [],
    originatorId: null,
    clusterList: [],
    onlyToCustomer: null,
  };
}

/**
 * Reads the attributes of a message from `start` up to, not including, `end`.
 *
 * @param asnBytes 2 for a session without four-byte AS numbers, else 4
 * @throws RangeError that names the attribute
 */
export function readAttributes(
  bytes: Uint8Array,
  { start, end }: { readonly start: number; readonly end: number },
  { asnBytes, nlri }: { readonly asnBytes: 2 | 4; readonly nlri: NlriReader },
): ReadAttributes {
  const reading: Reading = {
    attributes: noAttributes(),
    asnBytes,
    nlri,
    announced: [],
    withdrawn: [],
    endOf: null,
    as4Path: null,
    as4Aggregator: null,
  };
  for (let at = start; at < end; ) {
    const isLong = ((bytes[at] ?? 0) & extendedLength) !== 0;
    const head = isLong ? 4 : 3;
    if (at + head > end) {
      throw new RangeError(`the attributes end within the head of one, at their byte ${at - start}`);
    }
    const type = bytes[at + 1] ?? 0;
    const length = isLong ? u16At(bytes, at + 2) : (bytes[at + 2] ?? 0);
    if (at + head + length > end) {
      throw new RangeError(`attribute ${type} has ${end - at - head} of ${length} bytes`);
    }
    const read = readers[type];
    if (read !== undefined) {
      read(reading, { bytes, start: at + head, end: at + head + length, type });
    }
    at += head + length;
  }
  return joined(reading);
}

/** Two-byte sessions carry the real AS numbers in AS4_PATH and AS4_AGGREGATOR (RFC 6793 s.4.2.3). */
function joined(reading: Reading): ReadAttributes {
  const { attributes, as4Path, as4Aggregator } = reading;
  const isReplaced = attributes.aggregator === null || attributes.aggregator.asn === asTrans;
  if (as4Path !== null && isReplaced) {
    attributes.asPath = joinedPath(attributes.asPath, as4Path);
  }
  if (as4Aggregator !== null && attributes.aggregator?.asn === asTrans) {
    attributes.aggregator = as4Aggregator;
  }
  return reading;
}

/** Where a value is in its message. */
interface Value {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
  readonly type: number;
}

type Read = (reading: Reading, value: Value) => void;

/** By the type of the attribute. */
const readers: Readonly<Record<number, Read>> = {
  1: ({ attributes }, value) => {
    attributes.origin = origins[value.bytes[sized(value, 1)] ?? 0] ?? null;
  },
  2: ({ attributes, asnBytes }, value) => {
    attributes.asPath = readAsPath(value.bytes, value, asnBytes);
  },
  3: ({ attributes }, value) => {
    attributes.nextHop ??= mapped(value.bytes, sized(value, 4));
  },
  4: ({ attributes }, value) => {
    attributes.med = numberIn(value);
  },
  5: ({ attributes }, value) => {
    attributes.localPreference = numberIn(value);
  },
  6: ({ attributes }) => {
    attributes.isAtomicAggregate = true;
  },
  7: ({ attributes, asnBytes }, value) => {
    attributes.aggregator = aggregatorIn(value, asnBytes);
  },
  8: ({ attributes }, value) => {
    attributes.communities = groups(value, 4, (at) => [u16At(value.bytes, at), u16At(value.bytes, at + 2)]);
  },
  9: ({ attributes }, value) => {
    attributes.originatorId = mapped(value.bytes, sized(value, 4));
  },
  10: ({ attributes }, value) => {
    attributes.clusterList = groups(value, 4, (at) => mapped(value.bytes, at));
  },
  14: (reading, { bytes, start, end }) => {
    const { prefixes, nextHop } = readReachable(bytes.subarray(start, end), reading.nlri);
    reading.announced = prefixes;
    reading.attributes.nextHop = nextHop ?? reading.attributes.nextHop;
  },
  15: (reading, { bytes, start, end }) => {
    const own = bytes.subarray(start, end);
    reading.withdrawn = readUnreachable(own, reading.nlri);
    reading.endOf = own.length === 3 ? familyIn(own) : null;
  },
  16: ({ attributes }, value) => {
    attributes.extendedCommunities = groups(value, 8, (at) => value.bytes.subarray(at, at + 8).toHex());
  },
  17: (reading, value) => {
    reading.as4Path = readAsPath(value.bytes, value, 4);
  },
  18: (reading, value) => {
    reading.as4Aggregator = aggregatorIn(value, 4);
  },
  32: ({ attributes }, value) => {
    const { bytes } = value;
    const three = (at: number) => [wordAt(bytes, at), wordAt(bytes, at + 4), wordAt(bytes, at + 8)] as const;
    attributes.largeCommunities = groups(value, 12, three);
  },
  35: ({ attributes }, value) => {
    attributes.onlyToCustomer = numberIn(value);
  },
};

function aggregatorIn(value: Value, asnBytes: 2 | 4): Aggregator {
  const { bytes } = value;
  const start = sized(value, asnBytes + 4);
  const asn = asnBytes === 2 ? u16At(bytes, start) : wordAt(bytes, start);
  return { asn, address: mapped(bytes, start + asnBytes) };
}

function numberIn(value: Value): number {
  return wordAt(value.bytes, sized(value, 4));
}

/** Offset of the value. Throws RangeError when its length is different. */
function sized({ start, end, type }: Value, bytes: number): number {
  if (end - start !== bytes) {
    throw new RangeError(`attribute ${type} has ${end - start} bytes instead of ${bytes}`);
  }
  return start;
}

/** Applies `read` to each group of so many bytes. */
function groups<T>({ start, end, type }: Value, bytes: number, read: (at: number) => T): T[] {
  if ((end - start) % bytes !== 0) {
    throw new RangeError(`attribute ${type} has ${end - start} bytes, not a multiple of ${bytes}`);
  }
  const found: T[] = [];
  for (let at = start; at < end; at += bytes) {
    found.push(read(at));
  }
  return found;
}
