/**
 * Internet addresses as 16 bytes, the one form used between every two parts of Vantage.
 *
 * IPv4 is held mapped (`::ffff:a.b.c.d`, RFC 4291 s.2.5.5.2), so one comparison, one table key and one wire
 * field serve both families.
 */
import ipaddr from "ipaddr.js";
import { plainIpv4, plainIpv6 } from "./plain-address.ts";

/** 16 bytes in network order; IPv4 mapped. */
export type Address = Uint8Array;

export type Family = 4 | 6;

export const addressBytes = 16;

/**
 * Reads an address as people write it: `192.0.2.1` (four decimal parts only) or `2001:db8::1`.
 *
 * Returns null on anything else, zones (`fe80::1%eth0`) and mapped text included: an IPv4 address has one spelling.
 */
export function parseAddress(text: string): Address | null {
  const { length } = text;
  for (let at = 0; at < length && length <= plainCharsMax; at++) {
    typed[at] = Math.min(0xff, text.charCodeAt(at));
  }
  const plain = length <= plainCharsMax ? plainAddress(typed, 0, length) : undefined;
  return plain === undefined ? spelledOtherwise(text) : plain;
}

/** Reads an address from ASCII bytes, or a part of them: a view of each of millions costs more than to read it. */
export function addressOfText(text: Uint8Array, from = 0, to = text.length): Address | null {
  const plain = to - from <= plainCharsMax ? plainAddress(text, from, to) : undefined;
  return plain === undefined ? spelledOtherwise(String.fromCharCode(...text.subarray(from, to))) : plain;
}

/** Longer than any plain spelling. */
const plainCharsMax = 40;
const colon = 0x3a;
const typed = new Uint8Array(plainCharsMax);

/** Undefined = not a plain spelling. */
function plainAddress(text: Uint8Array, from: number, to: number): Address | null | undefined {
  const firstColon = text.indexOf(colon, from);
  if (firstColon < 0 || firstColon >= to) {
    return plainIpv4(text, from, to) ?? undefined;
  }
  const address = plainIpv6(text, from, to) ?? undefined;
  return address !== undefined && isIpv4(address) ? null : address;
}

/** By ipaddr.js, at some 5 us each. */
function spelledOtherwise(text: string): Address | null {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) {
    return mapped(ipaddr.IPv4.parse(text).toByteArray());
  }
  if (!ipaddr.IPv6.isValid(text) || text.includes("%")) {
    return null;
  }
  // The library takes `::192.0.2.1` for a mapped address; it is ::c000:201 (RFC 4291 s.2.2).
  const address = ipaddr.IPv6.parse(/^::\d+\./.test(text) ? `0${text}` : text);
  return address.isIPv4MappedAddress() ? null : Uint8Array.from(address.toByteArray());
}

/** Reads an address that the program itself wrote; throws on bad text. */
export function address(text: string): Address {
  const parsed = parseAddress(text);
  if (parsed === null) {
    throw new TypeError(`Cannot read "${text}" as an IP address`);
  }
  return parsed;
}

/** Writes an address in the form of RFC 5952: `192.0.2.1`, `2001:db8::1`. */
export function formatAddress(bytes: Address): string {
  if (isIpv4(bytes)) {
    return `${bytes[12]}.${bytes[13]}.${bytes[14]}.${bytes[15]}`;
  }
  return formatIpv6(bytes);
}

/**
 * Written by hand for speed: views of millions of answers write little else. The longest run of zero groups,
 * or the first of equally long ones, becomes `::` (RFC 5952 s.4.2.3); a single zero group stays.
 */
function formatIpv6(bytes: Address): string {
  let [runStart, runLength, longestStart, longest] = [0, 0, -1, 1];
  for (let group = 0; group < 8; group++) {
    if (bytes[2 * group] !== 0 || bytes[2 * group + 1] !== 0) {
      [runStart, runLength] = [group + 1, 0];
    } else if (++runLength > longest) {
      [longestStart, longest] = [runStart, runLength];
    }
  }
  let text = "";
  for (let group = 0; group < 8; group++) {
    if (group === longestStart) {
      text += "::";
      group += longest - 1;
    } else {
      const isBehindRun = group === longestStart + longest && longestStart >= 0;
      text += (group === 0 || isBehindRun ? "" : ":") + groupText(bytes, group);
    }
  }
  return text;
}

function groupText(bytes: Address, group: number): string {
  return (((bytes[2 * group] ?? 0) << 8) | (bytes[2 * group + 1] ?? 0)).toString(16);
}

export function familyOf(bytes: Address): Family {
  return isIpv4(bytes) ? 4 : 6;
}

export function isIpv4(bytes: Address): boolean {
  for (let i = 0; i < 10; i++) {
    if (bytes[i] !== 0) {
      return false;
    }
  }
  return bytes[10] === 0xff && bytes[11] === 0xff;
}

/** Maps the 4 bytes of an IPv4 address, at `offset` of `bytes`, to a new Address. */
export function mapped(bytes: ArrayLike<number>, offset = 0): Address {
  const address = new Uint8Array(addressBytes);
  address[10] = 0xff;
  address[11] = 0xff;
  for (let i = 0; i < 4; i++) {
    address[12 + i] = bytes[offset + i] ?? 0;
  }
  return address;
}

export function sameAddress(a: Address, b: Address): boolean {
  for (let i = 0; i < addressBytes; i++) {
    if (a[i] !== b[i]) {
      return false;
    }
  }
  return true;
}
