/** MP_REACH_NLRI and MP_UNREACH_NLRI (RFC 4760, 2545, 8950): unicast of both families; others are skipped. */
import { type Address, type Family, mapped } from "../ip/address.ts";
import { type NlriReader, type RoutePrefix, readPrefixes } from "./nlri.ts";

const families: Readonly<Record<number, Family>> = { 1: 4, 2: 6 };
const unicast = 1;
const headBytes = 4;

interface Reachable {
  readonly prefixes: readonly RoutePrefix[];
  readonly nextHop: Address | null;
}

/**
 * u16 AFI, u8 SAFI, u8 length of the next hop, next hop, u8 reserved, prefixes. Of two IPv6 next hops, the first is
 * the global one.
 *
 * @throws RangeError when it is cut short
 */
export function readReachable(value: Uint8Array, nlri: NlriReader): Reachable {
  const family = familyIn(value);
  const nextHopBytes = value[3] ?? 0;
  const prefixesAt = headBytes + nextHopBytes + 1;
  if (value.length < prefixesAt) {
    throw new RangeError(`MP_REACH_NLRI has ${value.length} bytes, fewer than its next hop needs`);
  }
  if (family === null) {
    return { prefixes: [], nextHop: null };
  }
  return {
    prefixes: readPrefixes(value, { start: prefixesAt, end: value.length }, family, nlri),
    nextHop: nextHopIn(value.subarray(headBytes, headBytes + nextHopBytes)),
  };
}

/** u16 AFI, u8 SAFI, prefixes. Throws RangeError when it is cut short. */
export function readUnreachable(value: Uint8Array, nlri: NlriReader): readonly RoutePrefix[] {
  if (value.length < 3) {
    throw new RangeError(`MP_UNREACH_NLRI has ${value.length} bytes`);
  }
  const family = familyIn(value);
  return family === null ? [] : readPrefixes(value, { start: 3, end: value.length }, family, nlri);
}

/** Null = an unsupported family. */
export function familyIn(value: Uint8Array): Family | null {
  const family = families[((value[0] ?? 0) << 8) | (value[1] ?? 0)];
  return value[2] === unicast ? (family ?? null) : null;
}

function nextHopIn(bytes: Uint8Array): Address | null {
  if (bytes.length === 4) {
    return mapped(bytes);
  }
  return bytes.length >= 16 ? bytes.slice(0, 16) : null;
}
