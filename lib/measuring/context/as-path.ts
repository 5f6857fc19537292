/**
 * The ASes of a route, by its AS_PATH (RFC 4271 s.4.3, with four bytes for each AS, as RFC 6396 s.4.3.4 has them).
 *
 * A path is segments of u8 type (1 set, 2 sequence, 3 and 4 of a confederation), u8 count, count AS numbers, the
 * origin last. Segments of a confederation, AS_TRANS, private and reserved numbers are skipped: they describe the
 * inside of a network. A set of one AS is that AS; a larger one does not say which.
 */
import { wordAt } from "../../net/ip/words.ts";
import { isPublicAsn } from "./asn.ts";

/** Stands for an AS_SET of several. */
export const ambiguousAsn = 0;

const asSet = 1;
const asSequence = 2;

/**
 * Appends the path's ASes to `asns`, the origin last, each once however often it is prepended.
 *
 * An AS_SET of several is `ambiguousAsn`. Nothing is appended when no AS counts, or the path is cut short.
 *
 * @param path the value of the attribute
 */
export function readAsPath(path: Uint8Array, keepPrivate: boolean, asns: number[]): void {
  const start = asns.length;
  for (let at = 0; at < path.length; ) {
    const type = path[at] ?? 0;
    const end = at + 2 + 4 * (path[at + 1] ?? 0);
    if (end > path.length) {
      asns.length = start;
      return;
    }
    if (type === asSequence || type === asSet) {
      readSegment(path.subarray(at + 2, end), type === asSet, { keepPrivate, asns, start });
    }
    at = end;
  }
}

interface Reading {
  readonly keepPrivate: boolean;
  readonly asns: number[];
  /** Where the path begins in `asns`. */
  readonly start: number;
}

function readSegment(segment: Uint8Array, isSet: boolean, { keepPrivate, asns, start }: Reading): void {
  const segmentStart = asns.length;
  for (let at = 0; at < segment.length; at += 4) {
    const asn = wordAt(segment, at);
    const isCounted = asn !== 0 && (keepPrivate || isPublicAsn(asn));
    if (isCounted && (asns.length === start || asns.at(-1) !== asn)) {
      asns.push(asn);
    }
  }
  if (isSet && asns.length > segmentStart + 1) {
    asns.length = segmentStart;
    asns.push(ambiguousAsn);
  }
}
