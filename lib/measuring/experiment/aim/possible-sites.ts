/**
 * Sites that a group of targets can be at under a setting, given its rounds. Used to say that a goal cannot be met, so
 * it excludes only what routes rule out, never what is merely unlikely. Pure.
 */
import { type MeasuredRound, type TargetGroup, unknown } from "./forecast.ts";
import { type Setting, withdrawn } from "./setting.ts";

interface Compared {
  readonly entriesOf: readonly (readonly number[])[];
  readonly rounds: readonly MeasuredRound[];
}

/** Bits of the sites. */
export function possibleSites(
  { entriesOf, rounds }: Compared,
  { sites }: TargetGroup,
  setting: Setting,
): number {
  const open = entriesOf.reduce(
    (bits, entries, site) =>
      entries.some((entry) => setting[entry] !== withdrawn) ? bits | (1 << site) : bits,
    0,
  );
  for (const [index, round] of rounds.entries()) {
    const was = sites[index] ?? unknown;
    // What won stays where all others became worse beside it. What is as before may have won by its route's age.
    if (was !== unknown && keeps({ entriesOf, was }, round.setting, setting)) {
      return 1 << was;
    }
  }
  return open;
}

function keeps(
  { entriesOf, was }: { readonly entriesOf: readonly (readonly number[])[]; readonly was: number },
  before: Setting,
  after: Setting,
): boolean {
  // Prepends that all have make no difference.
  const [own] = entriesOf[was] ?? [];
  const shift = own === undefined ? 0 : leastOpen(entriesOf[was], before) - leastOpen(entriesOf[was], after);
  return entriesOf.every((entries, site) =>
    entries.every((entry) => {
      const [then, now] = [before[entry] ?? withdrawn, after[entry] ?? withdrawn];
      return site === was
        ? then === withdrawn || now !== withdrawn
        : now === withdrawn || (then !== withdrawn && now + shift > then);
    }),
  );
}

function leastOpen(entries: readonly number[] = [], setting: Setting): number {
  return Math.min(...entries.flatMap((entry) => (setting[entry] === withdrawn ? [] : [setting[entry] ?? 0])));
}
