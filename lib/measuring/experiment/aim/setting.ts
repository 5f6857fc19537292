/**
 * What an aim changes: at each entry (a site, or one of its neighbours) the prefix is announced with some prepends, or
 * not. As numbers, because a plan compares thousands of settings. Pure.
 */

/** Where routes to the prefix begin. A site whose neighbours the file does not name is one entry. */
export interface Entry {
  readonly site: string;
  /** Its ASN. */
  readonly neighbor: number | null;
}

/** By entry: prepends there; `withdrawn` = not announced. A site's entries have the same prepends. */
export type Setting = Int8Array;

export const withdrawn = -1;

/** How a site announces. */
interface SiteAnnouncement {
  readonly prepend: number;
  /** Neighbours that do not get the route. */
  readonly notTo: readonly number[];
}

/** Sites that announce nothing are missing. */
export function announcementsOf(
  entries: readonly Entry[],
  setting: Setting,
): ReadonlyMap<string, SiteAnnouncement> {
  const bySite = Map.groupBy(entries.entries(), ([, { site }]) => site);
  const announced = new Map<string, SiteAnnouncement>();
  for (const [site, own] of bySite) {
    const open = own.filter(([index]) => setting[index] !== withdrawn);
    const [first] = open;
    if (first !== undefined) {
      const closed = own.filter(([index]) => setting[index] === withdrawn);
      const notTo = closed.flatMap(([, { neighbor }]) => (neighbor === null ? [] : [neighbor]));
      announced.set(site, { prepend: setting[first[0]] ?? 0, notTo });
    }
  }
  return announced;
}

export function isSameSetting(one: Setting, other: Setting): boolean {
  return one.every((level, entry) => level === other[entry]);
}

/** Prepends that all sites have have no effect: the least is 0. */
export function withoutCommonPrepends(setting: Setting): Setting {
  const least = Math.min(...setting.filter((level) => level !== withdrawn));
  return setting.map((level) => (level === withdrawn ? level : level - least));
}
