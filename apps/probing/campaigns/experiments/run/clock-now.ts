/** A machine's clock from its offset to a gateway's, which is `timeMs`, truncated to a whole number. */
import type { ClockNow } from "./planes.ts";

export function clockNow(
  timeMs: number,
  { offset_ms: offsetMs, within_ms: withinMs }: { readonly offset_ms: number; readonly within_ms: number },
): ClockNow {
  return [nanos(timeMs + 1 - offsetMs + withinMs), nanos(timeMs - offsetMs - withinMs)];
}

/** To the microsecond, the precision of a double for a time since 1970. */
function nanos(ms: number): bigint {
  return BigInt(Math.round(1000 * ms)) * 1000n;
}
