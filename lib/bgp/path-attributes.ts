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
 * Integers are big endian (RFC 4271 s.4.3). Attributes of other types are passed over. One whose length does not fit
 * its type throws a RangeError that names it: half of a route is not shown as the whole.
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
  /** RFC 6793: of a session with AS numbers of two bytes. */
  as4Path: AsPath | null;
  as4Aggregator: Aggregator | null;
}

const extendedLength = 0x10;
/** AS_TRANS (RFC 6793): stands for an AS number that has no place in two bytes. */
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
 * @param asnBytes 2 where the session has no AS numbers of four bytes
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
    readers[type]?.(bytes.subarray(at + head, at + head + length), reading, type);
    at += head + length;
  }
  return joined(reading);
}

/** Two-byte sessions say the true AS numbers in attributes of their own (RFC 6793 s.4.2.3). */
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

type Read = (value: Uint8Array, reading: Reading, type: number) => void;

/** By the type of the attribute. */
const readers: Readonly<Record<number, Read>> = {
  1: (value, { attributes }, type) => {
    attributes.origin = origins[sized(value, 1, type)[0] ?? 0] ?? null;
  },
  2: (value, { attributes, asnBytes }) => {
    attributes.asPath = readAsPath(value, asnBytes);
  },
  3: (value, { attributes }, type) => {
    attributes.nextHop ??= mapped(sized(value, 4, type));
  },
  4: (value, { attributes }, type) => {
    attributes.med = numberIn(value, type);
  },
  5: (value, { attributes }, type) => {
    attributes.localPreference = numberIn(value, type);
  },
  6: (_, { attributes }) => {
    attributes.isAtomicAggregate = true;
  },
  7: (value, { attributes, asnBytes }, type) => {
    attributes.aggregator = aggregatorIn(value, asnBytes, type);
  },
  8: (value, { attributes }, type) => {
    const pair = (at: number) => [u16At(value, at), u16At(value, at + 2)] as const;
    attributes.communities = groups(value, 4, type, pair);
  },
  9: (value, { attributes }, type) => {
    attributes.originatorId = mapped(sized(value, 4, type));
  },
  10: (value, { attributes }, type) => {
    attributes.clusterList = groups(value, 4, type, (at) => mapped(value, at));
  },
  14: (value, reading) => {
    const { prefixes, nextHop } = readReachable(value, reading.nlri);
    reading.announced = prefixes;
    reading.attributes.nextHop = nextHop ?? reading.attributes.nextHop;
  },
  15: (value, reading) => {
    reading.withdrawn = readUnreachable(value, reading.nlri);
    reading.endOf = value.length === 3 ? familyIn(value) : null;
  },
  16: (value, { attributes }, type) => {
    attributes.extendedCommunities = groups(value, 8, type, (at) => value.subarray(at, at + 8).toHex());
  },
  17: (value, reading) => {
    reading.as4Path = readAsPath(value, 4);
  },
  18: (value, reading, type) => {
    reading.as4Aggregator = aggregatorIn(value, 4, type);
  },
  32: (value, { attributes }, type) => {
    const three = (at: number) => [wordAt(value, at), wordAt(value, at + 4), wordAt(value, at + 8)] as const;
    attributes.largeCommunities = groups(value, 12, type, three);
  },
  35: (value, { attributes }, type) => {
    attributes.onlyToCustomer = numberIn(value, type);
  },
};

function aggregatorIn(value: Uint8Array, asnBytes: 2 | 4, type: number): Aggregator {
  sized(value, asnBytes + 4, type);
  return { asn: asnBytes === 2 ? u16At(value, 0) : wordAt(value, 0), address: mapped(value, asnBytes) };
}

function numberIn(value: Uint8Array, type: number): number {
  return wordAt(sized(value, 4, type), 0);
}

function sized(value: Uint8Array, bytes: number, type: number): Uint8Array {
  if (value.length !== bytes) {
    throw new RangeError(`attribute ${type} has ${value.length} bytes instead of ${bytes}`);
  }
  return value;
}

/** What `read` makes of each group of so many bytes. */
function groups<T>(value: Uint8Array, bytes: number, type: number, read: (at: number) => T): T[] {
  if (value.length % bytes !== 0) {
    throw new RangeError(`attribute ${type} has ${value.length} bytes, not a multiple of ${bytes}`);
  }
  const found: T[] = [];
  for (let at = 0; at < value.length; at += bytes) {
    found.push(read(at));
  }
  return found;
}
