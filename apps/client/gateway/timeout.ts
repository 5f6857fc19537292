/** How long to wait, on a command line. */
import { UsageError } from "../../../lib/config/command-line.ts";
import { durationMsOf, quoted } from "../../../lib/config/option-values.ts";
import { waitMsMax } from "../limits.ts";

/** Milliseconds. Throws UsageError. */
export function timeoutOf(text: string): number {
  const durationMs = durationMsOf(text) ?? 0;
  if (durationMs < 1 || durationMs > waitMsMax) {
    throw new UsageError(`--timeout ${quoted(text)}: give a time up to 366d, as 90s, 30m or 12h`);
  }
  return durationMs;
}
