/**
 * Seconds between two times as BIRD writes them with `timeformat … iso long`; both come from one clock and time zone.
 * Null when either cannot be read; never negative. Pure.
 */
export function elapsedSec(since: string, now: string): number | null {
  const ms = elapsedMs(since, now);
  return ms === null ? null : Math.max(0, Math.round(ms / 1000));
}

/** Milliseconds instead of seconds; negative if `now` is earlier. */
export function elapsedMs(since: string, now: string): number | null {
  const [start, end] = [since, now].map((text) => Date.parse(`${text.replace(" ", "T")}Z`));
  const ms = (end ?? Number.NaN) - (start ?? Number.NaN);
  return Number.isNaN(ms) ? null : ms;
}
