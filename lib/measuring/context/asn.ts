/** AS numbers: which are public, and how they are written. */

/** Ranges that the IANA registry reserves or marks as private or documentation (RFC 7607, 4893, 5398, 6996, 7300). */
const reservedAsns: readonly (readonly [first: number, last: number])[] = [
  [0, 0],
  [23456, 23456],
  [64496, 131071],
  [4200000000, 4294967295],
];

/** False for AS 0, AS_TRANS, documentation, private and reserved numbers. */
export function isPublicAsn(asn: number): boolean {
  return !reservedAsns.some(([first, last]) => asn >= first && asn <= last);
}

/** Reads `15169`, `AS15169` or `as15169`; null on anything else and above 32 bits. */
export function parseAsn(text: string): number | null {
  const digits = /^(?:as)?(\d{1,10})$/i.exec(text.trim())?.[1];
  const asn = Number(digits);
  return digits === undefined || asn > 0xffffffff ? null : asn;
}
