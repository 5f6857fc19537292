/** Refresh, retry and expire intervals of a cache (RFC 8210 s.6). */
import type { RtrIntervals } from "./pdu.ts";

/** For version 0, and until the cache has responded. */
export const intervalsDefault: RtrIntervals = { refreshSec: 3600, retrySec: 600, expireSec: 7200 };

/** Clamps intervals to the RFC's ranges; a refresh or retry not below expire becomes half of it. */
export function allowedIntervals({ refreshSec, retrySec, expireSec }: RtrIntervals): RtrIntervals {
  const expire = within(expireSec, 600, 172_800);
  const inTime = (seconds: number) => (seconds < expire ? seconds : Math.floor(expire / 2));
  return {
    refreshSec: inTime(within(refreshSec, 1, 86_400)),
    retrySec: inTime(within(retrySec, 1, 7200)),
    expireSec: expire,
  };
}

function within(seconds: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, seconds));
}
