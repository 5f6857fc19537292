/**
 * Seconds between two times as BIRD writes them with `timeformat … iso long`; both are of one clock and time zone,
 * whichever that is. Null when either cannot be read; never negative. Pure.
 */
export function elapsedSec(since: string, now: string): number | null {
  const [start, end] = [since, now].map((text) => Date.parse(`${text.replace(" ", "T")}Z`));
  const elapsedMs = (end ?? Number.NaN) - (start ?? Number.NaN);
  return Number.isNaN(elapsedMs) ? null : Math.max(0, Math.round(elapsedMs / 1000));
}
