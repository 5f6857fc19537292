/** ASN pools as people write them: `65000-65999`, several ranges, or single numbers. */
import { asnMax, asnRangesMax } from "./limits.ts";

/** `last` is inclusive. */
export interface AsnRange {
  readonly first: number;
  readonly last: number;
}

/** `65000-65999` or `65000`; null for anything else, and for the reserved numbers 0 and 4294967295. */
export function parseAsnRange(text: string): AsnRange | null {
  const [, from, to] = /^(\d{1,10})(?:-(\d{1,10}))?$/.exec(text) ?? [];
  if (from === undefined) {
    return null;
  }
  const first = Number(from);
  const last = Number(to ?? from);
  return first >= 1 && first <= last && last <= asnMax ? { first, last } : null;
}

export function holdsAsn(ranges: readonly AsnRange[], asn: number): boolean {
  return ranges.some(({ first, last }) => first <= asn && asn <= last);
}

/** Why these ranges cannot form a pool; null when they can. */
export function asnRangesProblem(ranges: readonly AsnRange[]): string | null {
  if (ranges.length === 0 || ranges.length > asnRangesMax) {
    return `must have 1 to ${asnRangesMax} ranges`;
  }
  const sorted = [...ranges].sort((a, b) => a.first - b.first);
  const overlap = sorted.find(({ first }, i) => first <= (sorted[i - 1]?.last ?? 0));
  return overlap === undefined ? null : `has ${overlap.first}-${overlap.last} overlap another range`;
}
