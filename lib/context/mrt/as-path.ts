/**
 * Who originated a route, by its AS_PATH (RFC 4271 s.4.3, with four bytes for each AS, as RFC 6396 s.4.3.4 has them).
 *
 * A path is segments of u8 type (1 set, 2 sequence, 3 and 4 of a confederation), u8 count, count AS numbers. The
 * origin is the last AS of the path. Segments of a confederation, AS_TRANS, private and reserved numbers are skipped:
 * they describe the inside of a network. A set of one AS is that AS; a larger one does not say who.
 */
import { wordAt } from "../../ip/words.ts";
import { isPublicAsn } from "../asn.ts";

/** The path has an AS_SET of several where its origin should be. */
const ambiguousOrigin = 0;

const asSet = 1;
const asSequence = 2;

/**
 * @param path the value of the attribute
 * @returns the AS number; 0 = ambiguous; null = the path has no AS that counts, or is cut short
 */
export function originOf(path: Uint8Array, keepPrivate = false): number | null {
  let origin: number | null = null;
  for (let at = 0; at < path.length; ) {
    const type = path[at] ?? 0;
    const count = path[at + 1] ?? 0;
    const end = at + 2 + 4 * count;
    if (end > path.length) {
      return null;
    }
    if (type === asSequence || type === asSet) {
      origin = originOfSegment(path.subarray(at + 2, end), type, keepPrivate) ?? origin;
    }
    at = end;
  }
  return origin;
}

function originOfSegment(asns: Uint8Array, type: number, keepPrivate: boolean): number | null {
  let last: number | null = null;
  let distinct = 0;
  for (let at = 0; at < asns.length; at += 4) {
    const asn = wordAt(asns, at);
    if (keepPrivate || isPublicAsn(asn)) {
      distinct += asn === last ? 0 : 1;
      last = asn;
    }
  }
  return type === asSet && distinct > 1 ? ambiguousOrigin : last;
}
