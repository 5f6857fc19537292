/**
 * Which site each target prefers, by an anycast sweep: rounds in which some sites announce, one of them with more
 * prepends than the others. What BGP prefers for a reason before path length, no prepend moves. Pure.
 */

/** One round of a sweep. */
interface SweepRound {
  readonly sites: ReadonlySet<string>;
  /** By site; 0 where it has none. */
  readonly prepends: ReadonlyMap<string, number>;
  /** The site of each target that answered at one site only. */
  readonly siteOf: ReadonlyMap<string, string>;
}

interface Preference {
  /** All sites, the best one first, as far as the rounds say: a site that was never left out hides those behind it. */
  readonly order: readonly string[];
  /**
   * Prepends at the best site that moved the target away. Null: the most that were tried did not, so the target does
   * not decide by length (or by more than that).
   */
  readonly movedByPrepend: number | null;
}

/** For each target that answered while all sites announced without prepends. */
export function preferencesOf(rounds: readonly SweepRound[]): ReadonlyMap<string, Preference> {
  const all = new Set(rounds.flatMap(({ sites }) => [...sites]));
  const even = rounds.filter((round) => [...round.prepends.values()].every((count) => count === 0));
  const whole = even.find(({ sites }) => sites.size === all.size);
  const preferences = new Map<string, Preference>();
  for (const target of whole?.siteOf.keys() ?? []) {
    const order = orderOf(target, all, even);
    preferences.set(target, { order, movedByPrepend: movedBy(target, order[0] ?? "", all, rounds) });
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
    if (site === undefined) {
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
): number | null {
  const moving = rounds.filter(({ sites, siteOf }) => {
    const site = siteOf.get(target);
    return sites.size === all.size && site !== undefined && site !== best;
  });
  const counts = moving
    .filter(({ prepends }) => [...prepends].every(([site, count]) => count === 0 || site === best))
    .map(({ prepends }) => prepends.get(best) ?? 0)
    .filter((count) => count > 0);
  return counts.length === 0 ? null : Math.min(...counts);
}
