/**
 * Reads addresses straight from ASCII bytes, for files of millions of lines: the spellings that programs write
 * (RFC 5952, and dotted quads). What is null here may still be an address: address.ts reads the rest.
 */

const dot = 0x2e;
const colon = 0x3a;
const ipv6Groups = 8;
const bytesOfAddress = 16;

/** Four decimal numbers of at most 255, without leading zeros; mapped. */
export function plainIpv4(text: Uint8Array, from: number, to: number): Uint8Array | null {
  const address = new Uint8Array(bytesOfAddress);
  address[10] = 0xff;
  address[11] = 0xff;
  let part = 0;
  let value = 0;
  let digits = 0;
  for (let i = from; i < to; i++) {
    const byte = text[i] ?? 0;
    if (byte === dot) {
      if (digits === 0 || part === 3) {
        return null;
      }
      address[12 + part++] = value;
      value = 0;
      digits = 0;
      continue;
    }
    const digit = byte - 0x30;
    value = value * 10 + digit;
    if (digit < 0 || digit > 9 || value > 255 || (digits > 0 && value < 10)) {
      return null;
    }
    digits++;
  }
  address[15] = value;
  return part === 3 && digits > 0 ? address : null;
}

/**
 * Groups of one to four hexadecimal digits, the last two also as an IPv4 address; one `::` stands for the missing
 * zeros. The result may be a mapped one.
 */
export function plainIpv6(text: Uint8Array, from: number, to: number): Uint8Array | null {
  const address = new Uint8Array(bytesOfAddress);
  let group = 0;
  let gap = -1;
  let value = 0;
  let digits = 0;
  for (let i = from; i < to; i++) {
    const byte = text[i] ?? 0;
    if (byte === dot) {
      const inside =
        (group > 0 || gap === 0) && group <= ipv6Groups - 2 ? plainIpv4(text, i - digits, to) : null;
      if (inside === null) {
        return null;
      }
      address.set(inside.subarray(12), 2 * group);
      return spread(address, group + 2, gap);
    }
    if (byte !== colon) {
      value = value * 16 + hexValue(byte);
      digits++;
      if (!(value <= 0xffff) || digits > 4 || group === ipv6Groups) {
        return null;
      }
      continue;
    }
    if (digits > 0) {
      put(address, group++, value);
      value = 0;
      digits = 0;
      if (i + 1 === to || text[i + 1] !== colon) {
        continue;
      }
      i++;
    } else if (i > from || ++i === to || text[i] !== colon) {
      return null;
    }
    if (gap >= 0) {
      return null;
    }
    gap = group;
  }
  if (digits > 0) {
    put(address, group++, value);
  } else if (gap !== group) {
    return null;
  }
  return spread(address, group, gap);
}

/** Moves the groups behind the gap to the end. */
function spread(address: Uint8Array, groups: number, gap: number): Uint8Array | null {
  if (groups > ipv6Groups || (gap < 0 ? groups !== ipv6Groups : groups === ipv6Groups)) {
    return null;
  }
  if (gap >= 0) {
    const behind = groups - gap;
    address.copyWithin(bytesOfAddress - 2 * behind, 2 * gap, 2 * groups);
    address.fill(0, 2 * gap, bytesOfAddress - 2 * behind);
  }
  return address;
}

function put(address: Uint8Array, group: number, value: number): void {
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
