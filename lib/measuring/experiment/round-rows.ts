/** An experiment's rounds in rows: each site's targets, those that moved, each site's catchment. Pure. */
import type { Round } from "./begun.ts";
import { changeBetween, sharesOf } from "./catchment-rounds.ts";
import type { SweepRound } from "./preferences.ts";
import { siteShares } from "./site-shares.ts";

type Rounds = readonly Round[];

export interface RoundRow {
  readonly round: number;
  /** The announcement: `west, east +2`. */
  readonly announced: string;
  /** `(several)`: targets received at more than one site; `(silent)`: at none. */
  readonly site: string;
  readonly targets: number;
  /** Targets from another site in the previous round; null in the first one. */
  readonly movedHere: number | null;
}

/** A site's targets in each round, and those that moved there. */
export function* roundRows(rounds: Rounds): Generator<RoundRow> {
  const known = sitesSeen(rounds);
  for (const [i, { round, sites, prepends }] of rounds.entries()) {
    const before = rounds[i - 1];
    const announced = announcedText(prepends);
    const { targetsBySite, unstable, silent } = sharesOf(sites);
    const moved =
      before === undefined ? null : Map.groupBy(changeBetween(before.sites, sites).moved, ({ to }) => to);
    // A site that lost all of its targets has a row; one without an agent, or under another name, has none.
    const announcing = [...(prepends?.keys() ?? [])].filter((site) => known.has(site));
    for (const site of [...new Set([...announcing, ...targetsBySite.keys()])].sort()) {
      const movedHere = moved === null ? null : (moved.get(site)?.length ?? 0);
      yield { round, announced, site, targets: targetsBySite.get(site) ?? 0, movedHere };
    }
    yield { round, announced, site: "(several)", targets: unstable.length, movedHere: null };
    yield { round, announced, site: "(silent)", targets: silent, movedHere: null };
  }
}

/** Thousands of targets share one set of sites. */
function sitesSeen(rounds: Rounds): ReadonlySet<string> {
  const sets = new Set<ReadonlySet<string>>();
  for (const { sites } of rounds) {
    for (const seen of sites.values()) {
      sets.add(seen);
    }
  }
  return new Set([...sets].flatMap((seen) => [...seen]));
}

function announcedText(prepends: ReadonlyMap<string, number> | null): string {
  return prepends === null
    ? "not by prepends alone"
    : [...prepends].map(([site, count]) => (count === 0 ? site : `${site} +${count}`)).join(", ");
}

export interface MoveRow {
  readonly round: number;
  readonly from: string;
  readonly to: string;
  readonly targets: number;
}

/** How many targets moved between which sites since the previous round. */
export function* moveRows(rounds: Rounds): Generator<MoveRow> {
  for (const [i, { round, sites }] of rounds.entries()) {
    const { moved } = changeBetween(rounds[i - 1]?.sites ?? sites, sites);
    const pairs = Map.groupBy(moved, ({ from, to }) => JSON.stringify([from, to]));
    for (const own of [...pairs].sort().map(([, moves]) => moves)) {
      const [first] = own;
      if (first !== undefined) {
        yield { round, from: first.from, to: first.to, targets: own.length };
      }
    }
  }
}

export type SiteRow = ReturnType<typeof siteShares>[number];

/** None if only one way to announce was tried. */
export function siteRows(rounds: readonly SweepRound[]): SiteRow[] {
  const rows = siteShares(rounds);
  return rows.some(({ byPrepend, alone }) => byPrepend.size > 1 || alone !== null) ? rows : [];
}
