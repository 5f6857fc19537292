/**
 * The catchments of a sweep: among the targets received at one site, each site's share by its number of prepends with
 * none elsewhere, and while it alone announced. Pure.
 */
import type { SweepRound } from "./preferences.ts";

interface Caught {
  readonly targets: number;
  /** Targets received at one site. */
  readonly of: number;
}

interface SiteShares {
  readonly site: string;
  /** While all announce, by this site's prepends; the others have none. */
  readonly byPrepend: ReadonlyMap<number, Caught>;
  /** While it alone announces; null = not tried. */
  readonly alone: Caught | null;
}

/** In the order of the sites' names. A setting that was tried twice counts by its last round. */
export function siteShares(rounds: readonly SweepRound[]): SiteShares[] {
  const all = [...new Set(rounds.flatMap(({ sites }) => [...sites]))].sort();
  const counted = rounds.map((round) => ({ ...round, counts: countsOf(round.siteOf.values()) }));
  return all.map((site) => {
    const byPrepend = new Map<number, Caught>();
    let alone: Caught | null = null;
    for (const { sites, prepends, siteOf, counts } of counted) {
      const others = [...prepends].filter(([one, count]) => one !== site && count > 0);
      const targets = counts.get(site) ?? 0;
      if (sites.size === all.length && others.length === 0) {
        byPrepend.set(prepends.get(site) ?? 0, { targets, of: siteOf.size });
      } else if (sites.size === 1 && sites.has(site)) {
        alone = { targets, of: siteOf.size };
      }
    }
    return { site, byPrepend: new Map([...byPrepend].sort(([a], [b]) => a - b)), alone };
  });
}

function countsOf(values: Iterable<string>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) {
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return counts;
}
