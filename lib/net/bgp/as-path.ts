/** The attribute AS_PATH (RFC 4271 s.4.3, RFC 5065, RFC 6793). */
import { wordAt } from "../ip/words.ts";

/** The nearest AS first. A nested list is an AS_SET, unordered. */
export type AsPath = readonly (number | readonly number[])[];

/** Segment types. Confederation segments (3 and 4) are ignored: they are not visible outside. */
const [set, sequence, typeMax] = [1, 2, 4];

/**
 * Segments one after another, from `start` up to, not including, `end`: u8 type, u8 number of ASes, the ASes.
 *
 * @throws RangeError when the value ends within a segment, on an empty one and on one of an unknown type (RFC 7606
 * s.7.2, for AS4_PATH RFC 6793 s.6), and on AS 0 (RFC 7607 s.2)
 */
export function readAsPath(
  bytes: Uint8Array,
  { start, end }: { readonly start: number; readonly end: number },
  asnBytes: 2 | 4,
): AsPath {
  const path: (number | readonly number[])[] = [];
  for (let at = start; at < end; ) {
    const type = bytes[at] ?? 0;
    const count = at + 1 < end ? (bytes[at + 1] ?? 0) : 0;
    const segmentEnd = at + 2 + count * asnBytes;
    if (segmentEnd > end) {
      throw new RangeError(`the AS path ends within a segment of ${count} ASes`);
    }
    if (type === 0 || type > typeMax || count === 0) {
      throw new RangeError(`the AS path has a segment of type ${type} with ${count} ASes`);
    }
    const asns: (number | readonly number[])[] = type === sequence ? path : [];
    for (let i = at + 2; i < segmentEnd; i += asnBytes) {
      const asn = asnBytes === 2 ? u16At(bytes, i) : wordAt(bytes, i);
      if (asn === 0) {
        throw new RangeError("the AS path has AS 0");
      }
      asns.push(asn);
    }
    if (type === set) {
      path.push(asns.filter((asn) => typeof asn === "number"));
    }
    at = segmentEnd;
  }
  return path;
}

export function u16At(bytes: Uint8Array, at: number): number {
  return ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
}

/**
 * The path with four-byte AS numbers: AS4_PATH, preceded by the leading ASes of AS_PATH that it lacks. An AS4_PATH
 * longer than AS_PATH is ignored (RFC 6793 s.4.2.3).
 */
export function joinedPath(path: AsPath, wide: AsPath): AsPath {
  const more = path.length - wide.length;
  return more < 0 ? path : [...path.slice(0, more), ...wide];
}

/** `64500 64501 {64502,64503}`. */
export function formatAsPath(path: AsPath): string {
  return path.map((part) => (typeof part === "number" ? String(part) : `{${part.join(",")}}`)).join(" ");
}
