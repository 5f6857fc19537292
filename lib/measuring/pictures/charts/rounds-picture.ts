/** Catchments of an experiment, round by round: a bar of its targets by site. Pure. */
import type { Picture } from "../look.ts";
import { barsMax } from "./bar-rows.ts";
import { shareBars } from "./share-bars.ts";

interface RoundSite {
  readonly round: number;
  readonly announced: string;
  readonly site: string;
  readonly targets: number;
  readonly moved_here: number | null;
}

export function roundsPicture(rows: readonly RoundSite[]): Picture {
  const shares = rows
    .filter(({ targets }) => targets > 0)
    .map(({ round, announced, site, targets }) => ({ bar: `${round}: ${announced}`, site, count: targets }));
  return shareBars(shares, { sentence: sentenceOf(rows), noun: "target", relation: "at" });
}

function sentenceOf(rows: readonly RoundSite[]): string {
  const rounds = new Set(rows.map(({ round }) => round)).size;
  if (rounds === 0) {
    return "No catchment yet.";
  }
  const moved = rows.reduce((sum, { moved_here: here }) => sum + (here ?? 0), 0);
  const shown = rounds > barsMax ? ` The first ${barsMax} are drawn.` : "";
  return (
    `${rounds} ${rounds === 1 ? "round" : "rounds"}; ${moved} times a target was at another site than in the round ` +
    `before.${shown}`
  );
}
