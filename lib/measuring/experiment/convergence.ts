/**
 * When a network has converged after an announcement, by what is seen in equal intervals. Pure.
 *
 * It has when nothing has changed for three intervals in a row. An interval in which nothing could be seen breaks no
 * row, and does not count for one: silence is not sameness.
 */

const quietIntervals = 3;

interface Converged {
  /** Index of the first interval with what then stayed; null = it has not converged. */
  readonly since: number | null;
  /** Intervals without a change at the end. */
  readonly quiet: number;
}

/** `seen`: what each interval showed, as text that is equal when it is the same; null = nothing was seen. */
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
