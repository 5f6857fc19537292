/** An AS number or a range of them, as people write it: `64512-65534`. */

interface AsnRange {
  readonly first: number;
  readonly last: number;
}

/** Null on anything else, and on a range that runs backwards. */
export function asnRangeOf(text: string): AsnRange | null {
  const [, from, to] = /^(\d{1,10})(?:-(\d{1,10}))?$/.exec(text) ?? [];
  const first = Number(from);
  const last = Number(to ?? from);
  return from === undefined || last > 0xffff_ffff || first > last ? null : { first, last };
}
