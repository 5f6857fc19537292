/**
 * Prefixes as BGP writes them: u8 length in bits, then as many bytes as these bits need (RFC 4271 s.4.3); before each,
 * where a session has several paths to a prefix, u32 path id (RFC 7911 s.3).
 */
import { addressBytes, type Family } from "../ip/address.ts";
import type { Prefix } from "../ip/prefix.ts";
import { wordAt } from "../ip/words.ts";

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

interface PrefixReading {
  readonly family: Family;
  readonly nlri: NlriReader;
  readonly found: RoutePrefix[];
}

const idBytes = 4;

/**
 * Appends the prefixes of a message from `start` up to, not including, `end` to `found`.
 *
 * @throws RangeError on a prefix that is cut short or too long for its family; those before it are in `found`
 */
export function readPrefixes(
  bytes: Uint8Array,
  { start, end }: { readonly start: number; readonly end: number },
  { family, nlri, found }: PrefixReading,
): void {
  if (start === end) {
    return;
  }
  const hasPathIds = nlri.hasPathIds(family);
  for (let at = start; at < end; ) {
    const pathId = hasPathIds ? wordAt(bytes, at) : null;
    const lengthAt = at + (hasPathIds ? idBytes : 0);
    if (lengthAt >= end) {
      throw new RangeError(`a prefix has ${end - at} bytes, fewer than its path id and length need`);
    }
    const bits = bytes[lengthAt] ?? 0;
    const size = (bits + 7) >> 3;
    if (bits > (family === 4 ? 32 : 128)) {
      throw new RangeError(`a prefix of ${bits} bits in IPv${family}`);
    }
    at = lengthAt + 1 + size;
    if (at > end) {
      throw new RangeError(`a prefix of ${bits} bits has ${size - (at - end)} of ${size} bytes`);
    }
    found.push({ prefix: prefixIn(bytes, lengthAt + 1, bits, family), pathId });
  }
}

/** Bits beyond the length are ignored (RFC 4271 s.4.3). */
function prefixIn(bytes: Uint8Array, at: number, bits: number, family: Family): Prefix {
  const base = new Uint8Array(addressBytes);
  // The address does not show its family: parts of the IPv6 prefix 0::/8 look like mapped IPv4.
  const first = family === 4 ? 12 : 0;
  if (family === 4) {
    base[10] = 0xff;
    base[11] = 0xff;
  }
  const size = (bits + 7) >> 3;
  for (let i = 0; i < size; i++) {
    base[first + i] = bytes[at + i] ?? 0;
  }
  if ((bits & 7) !== 0) {
    const last = first + size - 1;
    base[last] = (base[last] ?? 0) & (0xff << (8 - (bits & 7)));
  }
  return { base, length: bits, family };
}
