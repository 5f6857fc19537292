/**
 * Prefixes as BGP writes them: u8 length in bits, then as many bytes as these bits need (RFC 4271 s.4.3); before each,
 * where a session has several paths to a prefix, u32 path id (RFC 7911 s.3).
 */
import { type Family, mapped } from "../ip/address.ts";
import type { Prefix } from "../ip/prefix.ts";

export interface RoutePrefix {
  readonly prefix: Prefix;
  /** Null where the session has one path to a prefix. */
  readonly pathId: number | null;
}

export interface NlriReader {
  readonly hasPathIds: (family: Family) => boolean;
}

/** Sessions with one path to each prefix. */
export const onePathEach: NlriReader = { hasPathIds: () => false };

const idBytes = 4;

/** Throws RangeError on a prefix that is cut short or too long for its family. */
export function readPrefixes(bytes: Uint8Array, family: Family, nlri: NlriReader): RoutePrefix[] {
  const hasPathIds = nlri.hasPathIds(family);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const found: RoutePrefix[] = [];
  for (let at = 0; at < bytes.length; ) {
    const pathId = hasPathIds ? view.getUint32(at) : null;
    const lengthAt = at + (hasPathIds ? idBytes : 0);
    const bits = view.getUint8(lengthAt);
    const size = Math.ceil(bits / 8);
    if (bits > (family === 4 ? 32 : 128)) {
      throw new RangeError(`a prefix of ${bits} bits in IPv${family}`);
    }
    at = lengthAt + 1 + size;
    if (at > bytes.length) {
      throw new RangeError(`a prefix of ${bits} bits has ${size - (at - bytes.length)} of ${size} bytes`);
    }
    found.push({ prefix: prefixIn(bytes.subarray(lengthAt + 1, at), bits, family), pathId });
  }
  return found;
}

/** Bits behind the length count for nothing (RFC 4271 s.4.3). */
function prefixIn(bytes: Uint8Array, bits: number, family: Family): Prefix {
  const base = family === 4 ? mapped(bytes) : new Uint8Array(16);
  if (family === 6) {
    base.set(bytes);
  }
  // Not by the family of the address: 0::/8 of IPv6 has the form of mapped IPv4 in places.
  const last = (family === 4 ? 12 : 0) + (bits >> 3);
  if ((bits & 7) !== 0) {
    base[last] = (base[last] ?? 0) & (0xff << (8 - (bits & 7)));
  }
  return { base, length: bits, family };
}
