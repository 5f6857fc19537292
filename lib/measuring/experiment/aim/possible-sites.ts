/**
 * Sites that a group of targets can be at under a setting, given its rounds. Used to say that a goal cannot be met, so
 * it excludes only what routes rule out, never what is merely unlikely. Pure.
 */
import { type MeasuredRound, type TargetGroup, unknown } from "./forecast.ts";
import { type Setting, withdrawn } from "./setting.ts";

interface Compared {
  readonly entriesOf: readonly (readonly number[])[];
  readonly rounds: readonly MeasuredRound[];
  /** By round, by entry: the round in which its announcement changed last, so which routes were younger. */
  readonly changedIn: readonly Int16Array[];
}

export function compared(
  entriesOf: readonly (readonly number[])[],
  rounds: readonly MeasuredRound[],
): Compared {
  let last = new Int16Array(0);
  const changedIn = rounds.map(({ setting }, round) => {
    const before = rounds[round - 1]?.setting;
    last = Int16Array.from(setting, (level, entry) =>
      before?.[entry] === level ? (last[entry] ?? 0) : round,
    );
    return last;
  });
  return { entriesOf, rounds, changedIn };
}

/** Bits of the sites. */
export function possibleSites(given: Compared, { sites }: TargetGroup, setting: Setting): number {
  const { entriesOf, rounds } = given;
  let kept = 0;
  for (const index of rounds.keys()) {
    const was = sites[index] ?? unknown;
    if (was !== unknown && keeps(given, { was, index }, setting)) {
      kept |= 1 << was;
    }
  }
  if (kept !== 0) {
    // Several, where rounds contradict each other.
    return kept;
  }
  return entriesOf.reduce(
    (bits, entries, site) =>
      entries.some((entry) => setting[entry] !== withdrawn) ? bits | (1 << site) : bits,
    0,
  );
}

/**
 * What won stays where all others became worse beside it. Beside one that is as before, it may have won by the age of
 * its route, unless that was the younger one.
 */
function keeps(
  { entriesOf, rounds, changedIn }: Compared,
  { was, index }: { readonly was: number; readonly index: number },
  after: Setting,
): boolean {
  const [own = [], before, changed] = [entriesOf[was], rounds[index]?.setting, changedIn[index]];
  if (before === undefined || changed === undefined) {
    return false;
  }
  // Prepends that all have make no difference.
  const shift = leastOpen(own, before) - leastOpen(own, after);
  const age = Math.min(...own.map((entry) => changed[entry] ?? 0));
  return entriesOf.every((entries, site) =>
    entries.every((entry) => {
      const [then, now] = [before[entry] ?? withdrawn, after[entry] ?? withdrawn];
      if (site === was) {
        return then === withdrawn || now !== withdrawn;
      }
      const isWorse = now + shift > then || (now + shift === then && age > (changed[entry] ?? 0));
      return now === withdrawn || (then !== withdrawn && isWorse);
    }),
  );
}

function leastOpen(entries: readonly number[] = [], setting: Setting): number {
  return Math.min(...entries.flatMap((entry) => (setting[entry] === withdrawn ? [] : [setting[entry] ?? 0])));
}
