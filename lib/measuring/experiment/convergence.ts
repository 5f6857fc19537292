/**
 * When a network has converged after an announcement, by observations in equal intervals. Pure.
 *
 * It has when nothing has changed for three intervals in a row. An interval without an observation neither breaks a row
 * nor counts for one: silence is not sameness.
 */

const quietIntervals = 3;

interface Converged {
  /** Index of the first interval of the final state; null = not converged. */
  readonly since: number | null;
  /** Intervals without a change at the end. */
  readonly quiet: number;
}

/** `seen`: each interval's observation, as text that is equal when they are; null = nothing was seen. */
export function convergenceOf(seen: readonly (string | null)[]): Converged {
  let [since, quiet, last] = [null as number | null, 0, null as string | null];
  for (const [index, one] of seen.entries()) {
    if (one === null) {
      continue;
    }
    quiet = one === last ? quiet + 1 : 0;
    since = one === last ? since : index;
    last = one;
  }
  return { since: quiet >= quietIntervals ? since : null, quiet };
}
