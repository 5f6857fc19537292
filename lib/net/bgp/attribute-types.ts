/**
 * The types of path attributes that a monitor reads: name, flags, what a malformed one costs, how its value is read.
 *
 * | cost                  | what happens                                                                           |
 * |-----------------------|----------------------------------------------------------------------------------------|
 * | `withdraw`            | the UPDATE withdraws the routes that it names (RFC 7606 s.2, treat-as-withdraw)        |
 * | `discard`             | the attribute is left out (attribute discard)                                          |
 * | `discard if external` | left out from a neighbour of another AS, else as `withdraw` (s.7.5, 7.9, 7.10)         |
 *
 * Integers are big endian (RFC 4271 s.4.3). A value that does not fit its type throws a RangeError that names it.
 */
import { type Address, type Family, mapped } from "../ip/address.ts";
import { wordAt } from "../ip/words.ts";
import { type AsPath, readAsPath, u16At } from "./as-path.ts";
import { familyIn, readReachable, readUnreachable } from "./multiprotocol.ts";
import type { NlriReader, RoutePrefix } from "./nlri.ts";
import { type Aggregator, origins, type PathAttributes } from "./path-attributes.ts";

/** Attributes read from an UPDATE so far. */
export interface Reading {
  readonly attributes: PathAttributes;
  readonly asnBytes: 2 | 4;
  readonly nlri: NlriReader;
  readonly announced: RoutePrefix[];
  readonly withdrawn: RoutePrefix[];
  /** The one in MP_REACH_NLRI. */
  nextHop: Address | null;
  /** The family of an MP_UNREACH_NLRI without prefixes: End-of-RIB (RFC 4724). */
  endOf: Family | null;
  /** Attributes of other families than IPv4 and IPv6 unicast, whose routes are not read. */
  otherFamilies: number;
  as4Path: AsPath | null;
  as4Aggregator: Aggregator | null;
}

/** A value's position in its message. */
interface Value {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
  readonly type: number;
}

interface AttributeType {
  readonly name: string;
  /** Its flags `optional` and `transitive`. */
  readonly flags: number;
  readonly cost: "withdraw" | "discard" | "discard if external";
  readonly read: (reading: Reading, value: Value) => void;
}

export const [optional, transitive] = [0x80, 0x40];
const [wellKnown, both] = [transitive, optional | transitive];
export const attributeCodes = { origin: 1, asPath: 2, nextHop: 3, reach: 14, unreach: 15 } as const;

/** By type code. */
export const attributeTypes: Readonly<Record<number, AttributeType>> = {
  1: withdrawing("ORIGIN", wellKnown, ({ attributes }, value) => {
    const code = value.bytes[sized(value, 1)] ?? 0;
    attributes.origin = origins[code] ?? failed(`attribute 1 has the value ${code}`);
  }),
  2: withdrawing("AS_PATH", wellKnown, ({ attributes, asnBytes }, value) => {
    attributes.asPath = readAsPath(value.bytes, value, asnBytes);
  }),
  3: withdrawing("NEXT_HOP", wellKnown, ({ attributes }, value) => {
    attributes.nextHop = mapped(value.bytes, sized(value, 4));
  }),
  4: withdrawing("MULTI_EXIT_DISC", optional, ({ attributes }, value) => {
    attributes.med = numberIn(value);
  }),
  5: internal("LOCAL_PREF", wellKnown, ({ attributes }, value) => {
    attributes.localPreference = numberIn(value);
  }),
  6: discarded("ATOMIC_AGGREGATE", wellKnown, ({ attributes }, value) => {
    sized(value, 0);
    attributes.isAtomicAggregate = true;
  }),
  7: discarded("AGGREGATOR", both, ({ attributes, asnBytes }, value) => {
    attributes.aggregator = aggregatorIn(value, asnBytes);
  }),
  8: withdrawing("COMMUNITIES", both, ({ attributes }, value) => {
    attributes.communities = groups(value, 4, (at) => [u16At(value.bytes, at), u16At(value.bytes, at + 2)]);
  }),
  9: internal("ORIGINATOR_ID", optional, ({ attributes }, value) => {
    attributes.originatorId = mapped(value.bytes, sized(value, 4));
  }),
  10: internal("CLUSTER_LIST", optional, ({ attributes }, value) => {
    attributes.clusterList = groups(value, 4, (at) => mapped(value.bytes, at));
  }),
  14: withdrawing("MP_REACH_NLRI", optional, (reading, { bytes, start, end }) => {
    const { nlri, announced: found } = reading;
    const own = bytes.subarray(start, end);
    reading.nextHop = readReachable(own, { nlri, found });
    reading.otherFamilies += familyIn(own) === null ? 1 : 0;
  }),
  15: withdrawing("MP_UNREACH_NLRI", optional, (reading, { bytes, start, end }) => {
    const { nlri, withdrawn: found } = reading;
    const own = bytes.subarray(start, end);
    readUnreachable(own, { nlri, found });
    const family = familyIn(own);
    reading.endOf = own.length === 3 ? family : null;
    reading.otherFamilies += family === null && own.length > 3 ? 1 : 0;
  }),
  16: withdrawing("EXTENDED_COMMUNITIES", both, ({ attributes }, value) => {
    attributes.extendedCommunities = groups(value, 8, (at) => value.bytes.subarray(at, at + 8).toHex());
  }),
  17: discarded("AS4_PATH", both, (reading, value) => {
    if (value.start === value.end) {
      failed("attribute 17 has 0 bytes");
    }
    reading.as4Path = readAsPath(value.bytes, value, 4);
  }),
  18: discarded("AS4_AGGREGATOR", both, (reading, value) => {
    reading.as4Aggregator = aggregatorIn(value, 4);
  }),
  // The value is not kept: only its size is checked (RFC 7606 s.7.15).
  25: withdrawing("IPV6_EXTENDED_COMMUNITIES", both, (_, value) => {
    groups(value, 20, () => null);
  }),
  32: withdrawing("LARGE_COMMUNITIES", both, ({ attributes }, value) => {
    const { bytes } = value;
    const three = (at: number) => [wordAt(bytes, at), wordAt(bytes, at + 4), wordAt(bytes, at + 8)] as const;
    attributes.largeCommunities = groups(value, 12, three);
  }),
  35: withdrawing("ONLY_TO_CUSTOMER", both, ({ attributes }, value) => {
    attributes.onlyToCustomer = numberIn(value);
  }),
};

function withdrawing(name: string, flags: number, read: AttributeType["read"]): AttributeType {
  return { name, flags, cost: "withdraw", read };
}

function discarded(name: string, flags: number, read: AttributeType["read"]): AttributeType {
  return { name, flags, cost: "discard", read };
}

function internal(name: string, flags: number, read: AttributeType["read"]): AttributeType {
  return { name, flags, cost: "discard if external", read };
}

function failed(reason: string): never {
  throw new RangeError(reason);
}

/** AS 0 is malformed (RFC 7607 s.2). */
function aggregatorIn(value: Value, asnBytes: 2 | 4): Aggregator {
  const { bytes, type } = value;
  const start = sized(value, asnBytes + 4);
  const asn = asnBytes === 2 ? u16At(bytes, start) : wordAt(bytes, start);
  if (asn === 0) {
    failed(`attribute ${type} has AS 0`);
  }
  return { asn, address: mapped(bytes, start + asnBytes) };
}

function numberIn(value: Value): number {
  return wordAt(value.bytes, sized(value, 4));
}

/** The value's offset. Throws RangeError when its length is different. */
function sized({ start, end, type }: Value, bytes: number): number {
  if (end - start !== bytes) {
    failed(`attribute ${type} has ${end - start} bytes instead of ${bytes}`);
  }
  return start;
}

/** Applies `read` to each group of `size` bytes; there must be at least one. */
function groups<T>({ start, end, type }: Value, bytes: number, read: (at: number) => T): T[] {
  if (start === end || (end - start) % bytes !== 0) {
    failed(`attribute ${type} has ${end - start} bytes, not a multiple of ${bytes}`);
  }
  const found: T[] = [];
  for (let at = start; at < end; at += bytes) {
    found.push(read(at));
  }
  return found;
}
