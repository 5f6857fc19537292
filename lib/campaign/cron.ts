/**
 * When a cron pattern matches next, in a time zone.
 *
 * A time that daylight saving skips moves to the first moment after the gap; one that it repeats counts the first time
 * only, unless minute or hour are `*` or steps, which go on through both hours (croner 11).
 */
import { Cron } from "croner";
import { cronCharsMax } from "./limits.ts";

export interface CronTiming {
  readonly kind: "cron";
  /** Five parts: minute, hour, day of the month, month, day of the week. */
  readonly pattern: string;
  /** A name of the IANA time zone database: `Europe/Berlin`, `UTC`. */
  readonly zone: string;
}

/** Milliseconds since 1970 of the first match after a time; null = none. Throws on an invalid pattern. */
export function cronAfterMs({ pattern, zone }: CronTiming, afterMs: number): number | null {
  return new Cron(pattern, { mode: "5-part", timezone: zone }).nextRun(new Date(afterMs))?.getTime() ?? null;
}

/** What is wrong with a pattern or its zone, to be put after its name in a sentence; null = nothing. */
export function cronFault({ pattern, zone }: CronTiming): string | null {
  if (pattern.length > cronCharsMax) {
    return `"cron" has ${pattern.length} characters, more than ${cronCharsMax}`;
  }
  if (!isZone(zone)) {
    return `"zone" is not a time zone: write Europe/Berlin or UTC`;
  }
  if (pattern.trim().split(/\s+/).length !== 5) {
    return `"cron" needs five parts, as in "0 */6 * * *": minute, hour, day of the month, month, day of the week`;
  }
  try {
    return cronAfterMs({ kind: "cron", pattern, zone }, 0) === null ? `"cron" never comes` : null;
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^Cron\w+: /, "") : String(error);
    return `"cron" is not a pattern: ${reason}`;
  }
}

function isZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}
