/** When a cache is asked again, and for how long its data may be used: RFC 8210 s.6. */
import type { RtrIntervals } from "./pdu.ts";

/** What version 0 has, and a cache that has not answered yet. */
export const intervalsDefault: RtrIntervals = { refreshSec: 3600, retrySec: 600, expireSec: 7200 };

/** As the RFC allows them; a cache that would have its data expire before it is asked again is asked in time. */
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
