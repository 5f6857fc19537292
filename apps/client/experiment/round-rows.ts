/** The catchments of an experiment as rows: a site's targets in each round, and those that came from another. */
import { changeBetween, sharesOf } from "../../../lib/experiment/catchment-rounds.ts";
import type { SitesOfTargets } from "../../../lib/experiment/journal.ts";

export interface RoundRow {
  readonly round: number;
  /** `(several)`: targets that answered at more than one; `(silent)`: at none. */
  readonly site: string;
  readonly targets: number;
  /** From another site of the round before; null in the first one. */
  readonly movedHere: number | null;
}

export function* roundRows(rounds: ReadonlyMap<number, SitesOfTargets>): Generator<RoundRow> {
  let before: ReadonlyMap<string, ReadonlySet<string>> | null = null;
  for (const [round, kept] of [...rounds].sort(([a], [b]) => a - b)) {
    const sites = new Map(Object.entries(kept).map(([target, at]) => [target, new Set(at)]));
    const { targetsBySite, unstable, silent } = sharesOf(sites);
    const moved = before === null ? null : Map.groupBy(changeBetween(before, sites).moved, ({ to }) => to);
    for (const [site, targets] of [...targetsBySite].sort()) {
      yield { round, site, targets, movedHere: moved === null ? null : (moved.get(site)?.length ?? 0) };
    }
    yield { round, site: "(several)", targets: unstable.length, movedHere: null };
    yield { round, site: "(silent)", targets: silent, movedHere: null };
    before = sites;
  }
}
