/**
 * Catchments over the rounds of an experiment: the site that received each target's reply, and the changes. Pure.
 *
 * A round probes each target once or more often. Replies carry the round in their tag, so a reply of an earlier round
 * cannot be among them.
 */

/** One reply. */
interface CatchmentReply {
  readonly target: string;
  /** The site that received it. */
  readonly site: string;
}

interface CatchmentRound {
  /** All probed targets, in any order; each once. */
  readonly targets: readonly string[];
  readonly replies: readonly CatchmentReply[];
}

/** The sites that received a target's replies in a round: none = silent, several = unstable in that round. */
type SitesByTarget = ReadonlyMap<string, ReadonlySet<string>>;

interface RoundShares {
  /** Targets received at one site only, by site. */
  readonly targetsBySite: ReadonlyMap<string, number>;
  /** Targets received at several sites within the round. */
  readonly unstable: readonly string[];
  readonly silent: number;
}

interface RoundChange {
  /** Targets received at one site in each of the two rounds, but at different ones. */
  readonly moved: readonly { readonly target: string; readonly from: string; readonly to: string }[];
  /** Targets at one site in both rounds. */
  readonly stayed: number;
  readonly appeared: number;
  readonly disappeared: number;
}

/** Replies from targets that were not probed in the round are ignored, and counted in `strangers`. */
export function sitesOf({ targets, replies }: CatchmentRound): {
  readonly sites: SitesByTarget;
  readonly strangers: number;
} {
  const sites = new Map(targets.map((target) => [target, new Set<string>()]));
  let strangers = 0;
  for (const { target, site } of replies) {
    const own = sites.get(target);
    own?.add(site);
    strangers += own === undefined ? 1 : 0;
  }
  return { sites, strangers };
}

export function sharesOf(sites: SitesByTarget): RoundShares {
  const targetsBySite = new Map<string, number>();
  const unstable: string[] = [];
  let silent = 0;
  for (const [target, seen] of sites) {
    const site = onlySite(seen);
    if (site !== null) {
      targetsBySite.set(site, (targetsBySite.get(site) ?? 0) + 1);
    } else if (seen.size === 0) {
      silent++;
    } else {
      unstable.push(target);
    }
  }
  return { targetsBySite, unstable, silent };
}

/** Unstable targets are at no site: they count neither as moved nor as stayed. */
export function changeBetween(before: SitesByTarget, after: SitesByTarget): RoundChange {
  const moved: { target: string; from: string; to: string }[] = [];
  let [stayed, appeared, disappeared] = [0, 0, 0];
  for (const target of new Set([...before.keys(), ...after.keys()])) {
    const [from, to] = [before, after].map((round) => onlySite(round.get(target) ?? none));
    const [was, is] = [before, after].map((round) => (round.get(target) ?? none).size > 0);
    appeared += !was && is ? 1 : 0;
    disappeared += was && !is ? 1 : 0;
    if (typeof from === "string" && typeof to === "string") {
      stayed += from === to ? 1 : 0;
      if (from !== to) {
        moved.push({ target, from, to });
      }
    }
  }
  return { moved, stayed, appeared, disappeared };
}

/** How often each target moved from one site to another over all rounds; those that never did are omitted. */
export function flipsOf(rounds: readonly SitesByTarget[]): ReadonlyMap<string, number> {
  const flips = new Map<string, number>();
  const last = new Map<string, string>();
  for (const round of rounds) {
    for (const [target, seen] of round) {
      const site = onlySite(seen);
      if (site === null) {
        continue;
      }
      const earlier = last.get(target);
      last.set(target, site);
      if (earlier !== undefined && earlier !== site) {
        flips.set(target, (flips.get(target) ?? 0) + 1);
      }
    }
  }
  return flips;
}

/**
 * Shares of groups of targets, such as a /24 or an AS: by group, how many of its targets were received at each site.
 * Targets without a group (null) are under the empty name.
 */
export function sharesBy(
  sites: SitesByTarget,
  groupOf: (target: string) => string | null,
): ReadonlyMap<string, ReadonlyMap<string, number>> {
  const groups = new Map<string, Map<string, number>>();
  for (const [target, seen] of sites) {
    const site = onlySite(seen);
    if (site === null) {
      continue;
    }
    const name = groupOf(target) ?? "";
    const group = groups.get(name) ?? new Map<string, number>();
    groups.set(name, group);
    group.set(site, (group.get(site) ?? 0) + 1);
  }
  return groups;
}

const none: ReadonlySet<string> = new Set();

function onlySite(seen: ReadonlySet<string>): string | null {
  const [site] = seen;
  return seen.size === 1 && site !== undefined ? site : null;
}
