/** ROAs as sets: what is authorised here against what a certificate authority has. Pure. */
import { slices } from "../../../../lib/base/list/slices.ts";

export interface Roa {
  readonly asn: number;
  /** In canonical form. */
  readonly prefix: string;
  readonly maxLength: number;
}

/** One that the authority has. */
export interface PublishedRoa extends Roa {
  /** It carries our mark, so that we may remove it. */
  readonly isOurs: boolean;
}

export interface RoaDelta {
  readonly added: readonly Roa[];
  readonly removed: readonly Roa[];
}

/**
 * What makes the second into the first. Whatever is there and not wanted is removed when it is ours; what others
 * has made stays, and counts as there.
 */
export function roaDelta(wanted: readonly Roa[], there: readonly PublishedRoa[]): RoaDelta {
  const wantedKeys = new Set(wanted.map(roaKey));
  const thereKeys = new Set(there.map(roaKey));
  return {
    added: wanted.filter((roa) => !thereKeys.has(roaKey(roa))),
    removed: there.filter((roa) => roa.isOurs && !wantedKeys.has(roaKey(roa))),
  };
}

/** In parts of at most so many ROAs, removals first: what has ended goes whatever becomes of the rest. */
export function deltaParts(
  { added, removed }: RoaDelta,
  max: { added: number; removed: number },
): RoaDelta[] {
  return [
    ...slices(removed, max.removed).map((some) => ({ added: [], removed: some })),
    ...slices(added, max.added).map((some) => ({ added: some, removed: [] })),
  ];
}

export function deltaWithout({ added, removed }: RoaDelta, roas: readonly Roa[]): RoaDelta {
  const keys = new Set(roas.map(roaKey));
  const others = (some: readonly Roa[]) => some.filter((roa) => !keys.has(roaKey(roa)));
  return { added: others(added), removed: others(removed) };
}

/** The list after the change. */
export function roasAfter(there: readonly PublishedRoa[], { added, removed }: RoaDelta): PublishedRoa[] {
  const gone = new Set(removed.map(roaKey));
  return [
    ...there.filter((roa) => !gone.has(roaKey(roa))),
    ...added.map((roa) => ({ ...roa, isOurs: true })),
  ];
}

function roaKey({ asn, prefix, maxLength }: Roa): string {
  return `${asn} ${prefix} ${maxLength}`;
}
