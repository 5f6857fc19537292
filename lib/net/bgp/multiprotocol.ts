/** MP_REACH_NLRI and MP_UNREACH_NLRI (RFC 4760, 2545, 8950): unicast of both families; others are skipped. */
import { type Address, type Family, mapped } from "../ip/address.ts";
import { type NlriReader, type RoutePrefix, readPrefixes } from "./nlri.ts";

const families: Readonly<Record<number, Family>> = { 1: 4, 2: 6 };
const unicast = 1;
const headBytes = 4;
/** Bytes of an IPv4 address, an IPv6 address, and a global with a link-local one. */
const nextHopSizes: Readonly<Record<Family, readonly number[]>> = { 4: [4, 16, 32], 6: [16, 32] };

interface RoutesReading {
  readonly nlri: NlriReader;
  /** Receives the prefixes, up to one that cannot be read. */
  readonly found: RoutePrefix[];
}

/**
 * u16 AFI, u8 SAFI, u8 length of the next hop, next hop, u8 reserved, prefixes. Of two IPv6 next hops, the first is
 * the global one.
 *
 * @returns the next hop; null for a family that is not read
 * @throws RangeError when it is cut short, or the next hop has another size
 */
export function readReachable(value: Uint8Array, { nlri, found }: RoutesReading): Address | null {
  const family = familyIn(value);
  const nextHopBytes = value[3] ?? 0;
  const prefixesAt = headBytes + nextHopBytes + 1;
  if (value.length < prefixesAt) {
    throw new RangeError(`MP_REACH_NLRI has ${value.length} bytes, fewer than its next hop needs`);
  }
  if (family === null) {
    return null;
  }
  readPrefixes(value, { start: prefixesAt, end: value.length }, { family, nlri, found });
  if (!nextHopSizes[family].includes(nextHopBytes)) {
    throw new RangeError(`MP_REACH_NLRI of IPv${family} has a next hop of ${nextHopBytes} bytes`);
  }
  return nextHopBytes === 4 ? mapped(value, headBytes) : value.slice(headBytes, headBytes + 16);
}

/** u16 AFI, u8 SAFI, prefixes. Throws RangeError when it is cut short. */
export function readUnreachable(value: Uint8Array, { nlri, found }: RoutesReading): void {
  if (value.length < 3) {
    throw new RangeError(`MP_UNREACH_NLRI has ${value.length} bytes`);
  }
  const family = familyIn(value);
  if (family !== null) {
    readPrefixes(value, { start: 3, end: value.length }, { family, nlri, found });
  }
}

/** Null = an unsupported family. */
export function familyIn(value: Uint8Array): Family | null {
  const family = families[((value[0] ?? 0) << 8) | (value[1] ?? 0)];
  return value[2] === unicast ? (family ?? null) : null;
}
