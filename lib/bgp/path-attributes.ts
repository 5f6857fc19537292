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
import { type AsPath, joinedPath, readAsPath } from "./as-path.ts";
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
    ...{ origin: null, asPath: [], nextHop: null, med: null, localPreference: null },
    ...{ isAtomicAggregate: false, aggregator: null, communities: [], extendedCommunities: [] },
    ...{ largeCommunities: [], originatorId: null, clusterList: [], onlyToCustomer: null },
  };
}

/**
 * @param asnBytes 2 where the session has no AS numbers of four bytes
 * @throws RangeError that names the attribute
 */
export function readAttributes(bytes: Uint8Array, asnBytes: 2 | 4, nlri: NlriReader): ReadAttributes {
  const reading: Reading = {
    ...{ attributes: noAttributes(), asnBytes, nlri, announced: [], withdrawn: [] },
    ...{ endOf: null, as4Path: null, as4Aggregator: null },
  };
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 0; at < bytes.length; ) {
    const isLong = ((bytes[at] ?? 0) & extendedLength) !== 0;
    const head = isLong ? 4 : 3;
    if (at + head > bytes.length) {
      throw new RangeError(`the attributes end within the head of one, at their byte ${at}`);
    }
    const type = bytes[at + 1] ?? 0;
    const length = isLong ? view.getUint16(at + 2) : (bytes[at + 2] ?? 0);
    const value = bytes.subarray(at + head, at + head + length);
    if (value.length < length) {
      throw new RangeError(`attribute ${type} has ${value.length} of ${length} bytes`);
    }
    readers[type]?.(value, reading, type);
    at += head + length;
  }
  return joined(reading);
}

/** Two-byte sessions say the true AS numbers in attributes of their own (RFC 6793 s.4.2.3). */
function joined({ attributes, announced, withdrawn, endOf, ...wide }: Reading): ReadAttributes {
  const isReplaced = attributes.aggregator === null || attributes.aggregator.asn === asTrans;
  if (wide.as4Path !== null && isReplaced) {
    attributes.asPath = joinedPath(attributes.asPath, wide.as4Path);
  }
  if (wide.as4Aggregator !== null && attributes.aggregator?.asn === asTrans) {
    attributes.aggregator = wide.as4Aggregator;
  }
  return { attributes, announced, withdrawn, endOf };
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
    attributes.communities = groups(value, 4, type).map((each) => [each.getUint16(0), each.getUint16(2)]);
  },
  9: (value, { attributes }, type) => {
    attributes.originatorId = mapped(sized(value, 4, type));
  },
  10: (value, { attributes }, type) => {
    attributes.clusterList = groups(value, 4, type).map((each) => mapped(bytesOf(each)));
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
    attributes.extendedCommunities = groups(value, 8, type).map((each) => bytesOf(each).toHex());
  },
  17: (value, reading) => {
    reading.as4Path = readAsPath(value, 4);
  },
  18: (value, reading, type) => {
    reading.as4Aggregator = aggregatorIn(value, 4, type);
  },
  32: (value, { attributes }, type) => {
    attributes.largeCommunities = groups(value, 12, type).map((each) => [
      each.getUint32(0),
      each.getUint32(4),
      each.getUint32(8),
    ]);
  },
  35: (value, { attributes }, type) => {
    attributes.onlyToCustomer = numberIn(value, type);
  },
};

function aggregatorIn(value: Uint8Array, asnBytes: 2 | 4, type: number): Aggregator {
  const view = viewOf(sized(value, asnBytes + 4, type));
  const asn = asnBytes === 2 ? view.getUint16(0) : view.getUint32(0);
  return { asn, address: mapped(value, asnBytes) };
}

function numberIn(value: Uint8Array, type: number): number {
  return viewOf(sized(value, 4, type)).getUint32(0);
}

function sized(value: Uint8Array, bytes: number, type: number): Uint8Array {
  if (value.length !== bytes) {
    throw new RangeError(`attribute ${type} has ${value.length} bytes instead of ${bytes}`);
  }
  return value;
}

function groups(value: Uint8Array, bytes: number, type: number): DataView[] {
  if (value.length % bytes !== 0) {
    throw new RangeError(`attribute ${type} has ${value.length} bytes, not a multiple of ${bytes}`);
  }
  return Array.from({ length: value.length / bytes }, (_, i) =>
    viewOf(value.subarray(i * bytes, (i + 1) * bytes)),
  );
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}

function bytesOf(view: DataView): Uint8Array {
  return new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
}
