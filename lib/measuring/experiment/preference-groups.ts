/** Preferences of groups of targets, such as a /24 or an AS: the preferred site, and what makes them switch. Pure. */
import type { Preference } from "./preferences.ts";

interface PreferenceGroup {
  /** Empty = targets without a group. */
  readonly group: string;
  /** How many targets prefer each site. */
  readonly best: ReadonlyMap<string, number>;
  /** How many switched at this many prepends at their best site, at the least; null = never, as far as tried. */
  readonly movedBy: ReadonlyMap<number | null, number>;
}

export function preferenceGroups(
  preferences: ReadonlyMap<string, Preference>,
  groupOf: (target: string) => string | null,
): PreferenceGroup[] {
  const byGroup = Map.groupBy(preferences, ([target]) => groupOf(target) ?? "");
  return [...byGroup].map(([group, own]) => ({
    group,
    best: counted(own.map(([, { order }]) => order[0] ?? "")),
    movedBy: counted(own.map(([, { movedByPrepend }]) => movedByPrepend)),
  }));
}

function counted<Key>(keys: readonly Key[]): ReadonlyMap<Key, number> {
  const counts = new Map<Key, number>();
  for (const key of keys) {
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}
