/**
 * Each target's preferred site, from an anycast sweep: rounds in which some sites announce, one of them with more
 * prepends than the others. A preference that BGP decides before path length is not moved by prepends. Pure.
 */

/** One round of a sweep. */
export interface SweepRound {
  readonly sites: ReadonlySet<string>;
  /** By site; 0 where it has none. */
  readonly prepends: ReadonlyMap<string, number>;
  /** The site of each target that was received at one site only. */
  readonly siteOf: ReadonlyMap<string, string>;
}

export interface Preference {
  /** All sites, the best one first, as far as the rounds show: a site that was never left out hides the next ones. */
  readonly order: readonly string[];
  /**
   * Prepends at the best site that made the target switch. Null: the most that were tried did not, so path length does
   * not decide (or takes more).
   */
  readonly movedByPrepend: number | null;
  /** The site that the target switched to. */
  readonly movedTo: string | null;
}

/** For each target that replied while all sites announced without prepends. */
export function preferencesOf(rounds: readonly SweepRound[]): ReadonlyMap<string, Preference> {
  const all = new Set(rounds.flatMap(({ sites }) => [...sites]));
  const even = rounds.filter((round) => [...round.prepends.values()].every((count) => count === 0));
  const whole = even.find(({ sites }) => sites.size === all.size);
  const preferences = new Map<string, Preference>();
  for (const target of whole?.siteOf.keys() ?? []) {
    const order = orderOf(target, all, even);
    preferences.set(target, { order, ...movedBy(target, order[0] ?? "", all, rounds) });
  }
  return preferences;
}

/** The best site is the one while all announce, the next one that while the best ones do not. */
function orderOf(target: string, all: ReadonlySet<string>, rounds: readonly SweepRound[]): string[] {
  const order: string[] = [];
  let left = all;
  for (;;) {
    const [known] = rounds.filter(({ sites }) => sites.size === left.size && sites.isSubsetOf(left));
    const site = known?.siteOf.get(target);
    // A site that announces nothing: replies take a path outside this experiment.
    if (site === undefined || !left.has(site)) {
      return order;
    }
    order.push(site);
    left = left.difference(new Set([site]));
    if (left.size === 0) {
      return order;
    }
  }
}

function movedBy(
  target: string,
  best: string,
  all: ReadonlySet<string>,
  rounds: readonly SweepRound[],
): Pick<Preference, "movedByPrepend" | "movedTo"> {
  const tried = rounds
    .filter(({ sites }) => sites.size === all.size)
    .filter(({ prepends }) => [...prepends].every(([site, count]) => count === 0 || site === best))
    .map(({ prepends, siteOf }) => ({ count: prepends.get(best) ?? 0, site: siteOf.get(target) ?? best }))
    .filter(({ count, site }) => count > 0 && site !== best)
    .sort((a, b) => a.count - b.count);
  return { movedByPrepend: tried[0]?.count ?? null, movedTo: tried[0]?.site ?? null };
}
