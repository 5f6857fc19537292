/**
 * When a cron pattern matches next, in a time zone: the wall-clock minutes that it names, adjusted for clock changes.
 *
 *   30 2 * * *, Europe/Vienna   28 March 2027: the clock jumps from 02:00 to 03:00, so 03:00, the first moment after
 *                               31 October 2027: 02:30 occurs twice, the first one counts
 *   30 * * * *                  every hour, so no particular time: it is neither moved nor skipped
 */
import { cronCharsMax, cronPatternsMax } from "./limits.ts";
import { partFault } from "./part-fault.ts";
import { keepRecent } from "./recent.ts";
import { nextWallMs, type WallTimes, wallTimesOf } from "./wall-times.ts";
import { minuteMs, type Zone, zoneByName } from "./zone.ts";

export interface CronTiming {
  readonly kind: "cron";
  /** Five parts: minute, hour, day of the month, month, day of the week. */
  readonly pattern: string;
  /** A name of the IANA time zone database: `Europe/Berlin`, `UTC`. */
  readonly zone: string;
}

const wallTimes = keepRecent(cronPatternsMax, wallTimesOf);

/** Milliseconds since 1970 of the first match after a time; null = none. Throws on an invalid pattern. */
export function cronAfterMs({ pattern, zone }: CronTiming, afterMs: number): number | null {
  const times = wallTimes(pattern);
  const clock = zoneByName(zone);
  const first = firstAfter(times, clock, afterMs);
  const again = times.isHourly ? repeatedAfter(times, clock, afterMs) : null;
  return first === null || again === null ? (first ?? again) : Math.min(first, again);
}

/** The first moment after another at which a named time occurs first, or is made up for after a gap. */
function firstAfter(times: WallTimes, clock: Zone, afterMs: number): number | null {
  const { before, after } = clock.changeNear(afterMs);
  let wallMs = nextWallMs(times, afterMs + Math.min(before, after));
  while (wallMs !== null) {
    const atMs = momentOf(clock, wallMs, times.isHourly);
    if (atMs !== null && atMs > afterMs) {
      return atMs;
    }
    wallMs = nextWallMs(times, wallMs + minuteMs);
  }
  return null;
}

/** When wall-clock time first shows a time; null = never, and the pattern is not bound to it. */
function momentOf(clock: Zone, wallMs: number, isHourly: boolean): number | null {
  const { before, after, atMs } = clock.changeNear(wallMs);
  if (wallMs - before < atMs) {
    return wallMs - before;
  }
  const isSkipped = wallMs - after < atMs;
  return isSkipped ? (isHourly ? null : atMs) : wallMs - after;
}

/** The first moment after another at which a named time occurs again, because the clock was set back. */
function repeatedAfter(times: WallTimes, clock: Zone, afterMs: number): number | null {
  const { before, after, atMs } = clock.changeNear(afterMs);
  const wallMs = before > after ? nextWallMs(times, Math.max(atMs, afterMs + 1) + after) : null;
  return wallMs !== null && wallMs < atMs + before ? wallMs - after : null;
}

/** What is wrong with a pattern or its zone, as the end of a sentence that names it; null = nothing. */
export function cronFault({ pattern, zone }: CronTiming): string | null {
  if (pattern.length > cronCharsMax) {
    return `"cron" has ${pattern.length} characters, more than ${cronCharsMax}`;
  }
  if (!isZone(zone)) {
    return `"zone" is not a time zone: write Europe/Berlin or UTC`;
  }
  const parts = pattern.trim().split(/\s+/);
  if (parts.length !== 5) {
    const hint = hintOf(pattern.trim());
    return `"cron" needs five parts, as in ${hint}: minute, hour, day of the month, month, day of the week`;
  }
  try {
    return cronAfterMs({ kind: "cron", pattern, zone }, 0) === null ? `"cron" never comes` : null;
  } catch (error) {
    return `"cron" is not a pattern: ${partFault(parts) ?? String(error)}`;
  }
}

const nicknames: Readonly<Record<string, string>> = {
  "@hourly": "0 * * * *",
  "@daily": "0 0 * * *",
  "@midnight": "0 0 * * *",
  "@weekly": "0 0 * * 0",
  "@monthly": "0 0 1 * *",
  "@yearly": "0 0 1 1 *",
  "@annually": "0 0 1 1 *",
};

function hintOf(pattern: string): string {
  const meant = nicknames[pattern.toLowerCase()];
  return meant === undefined ? '"0 */6 * * *"' : `"${meant}" for ${pattern}`;
}

function isZone(zone: string): boolean {
  try {
    zoneByName(zone);
    return true;
  } catch {
    return false;
  }
}
