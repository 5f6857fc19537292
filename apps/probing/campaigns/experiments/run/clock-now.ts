/** A machine's clock from its offset to a gateway's, which is `timeMs`, truncated to a whole number. */
import { nanosOf } from "../../../../../lib/measuring/probing/nanos-of.ts";
import type { ClockNow } from "./planes.ts";

export function clockNow(
  timeMs: number,
  { offset_ms: offsetMs, within_ms: withinMs }: { readonly offset_ms: number; readonly within_ms: number },
): ClockNow {
  return [nanosOf(timeMs + 1 - offsetMs + withinMs), nanosOf(timeMs - offsetMs - withinMs)];
}
