/**
 * Reads addresses straight from the bytes of a line, for files of millions of lines.
 *
 * Takes the spellings that programs write (RFC 5952, and dotted quads) without making a string; anything else
 * is left to `parseAddress` of lib/ip. A test checks that both agree.
 */
import { type Address, addressBytes, isIpv4, parseAddress } from "../ip/address.ts";

const dot = 0x2e;
const colon = 0x3a;
const ipv6Groups = 8;

/** The address that these ASCII bytes spell, or null. */
export function addressOfText(text: Uint8Array): Address | null {
  const address = new Uint8Array(addressBytes);
  const isRead = text.includes(colon) ? readIpv6(text, address) : readIpv4(text, address);
  return isRead ? address : parseAddress(String.fromCharCode(...text));
}

/** Four decimal numbers of at most 255, without leading zeros. */
function readIpv4(text: Uint8Array, address: Address): boolean {
  address[10] = 0xff;
  address[11] = 0xff;
  let part = 0;
  let value = 0;
  let digits = 0;
  for (const byte of text) {
    if (byte === dot) {
      if (digits === 0 || part === 3) {
        return false;
      }
      address[12 + part++] = value;
      value = 0;
      digits = 0;
      continue;
    }
    const digit = byte - 0x30;
    value = value * 10 + digit;
    if (digit < 0 || digit > 9 || value > 255 || (digits > 0 && value < 10)) {
      return false;
    }
    digits++;
  }
  address[15] = value;
  return part === 3 && digits > 0;
}

/** Groups of one to four hexadecimal digits; one `::` stands for the missing zeros. */
function readIpv6(text: Uint8Array, address: Address): boolean {
  let group = 0;
  let gap = -1;
  let value = 0;
  let digits = 0;
  for (let i = 0; i < text.length; i++) {
    const byte = text[i] ?? 0;
    if (byte !== colon) {
      value = value * 16 + hexValue(byte);
      digits++;
      if (!(value <= 0xffff) || digits > 4 || group === ipv6Groups) {
        return false;
      }
      continue;
    }
    if (digits > 0) {
      put(address, group++, value);
      value = 0;
      digits = 0;
      if (text[i + 1] !== colon) {
        continue;
      }
      i++;
    } else if (i > 0 || text[++i] !== colon) {
      return false;
    }
    if (gap >= 0) {
      return false;
    }
    gap = group;
  }
  if (digits > 0) {
    put(address, group++, value);
  } else if (gap !== group) {
    return false;
  }
  return spread(address, group, gap);
}

/** Moves the groups behind the gap to the end. We do not accept mapped IPv4 here, so it is left to lib/ip. */
function spread(address: Address, groups: number, gap: number): boolean {
  if (groups > ipv6Groups || (gap < 0 ? groups !== ipv6Groups : groups === ipv6Groups)) {
    return false;
  }
  if (gap >= 0) {
    const behind = groups - gap;
    address.copyWithin(addressBytes - 2 * behind, 2 * gap, 2 * groups);
    address.fill(0, 2 * gap, addressBytes - 2 * behind);
  }
  return !isIpv4(address);
}

function put(address: Address, group: number, value: number): void {
  address[2 * group] = value >> 8;
  address[2 * group + 1] = value & 0xff;
}

function hexValue(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) {
    return byte - 0x30;
  }
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x61 + 10 : NaN;
}
