/** The figures of an RTT summary by their names in JSON and CSV, in ms to the microsecond. Pure. */
import { roundedMs } from "./rounded-ms.ts";
import type { RttSummary } from "./rtt-summary.ts";

const rttFigures = {
  rtt_min_ms: "minMs",
  rtt_p10_ms: "p10Ms",
  rtt_median_ms: "medianMs",
  rtt_p90_ms: "p90Ms",
  rtt_max_ms: "maxMs",
  rtt_mean_ms: "meanMs",
  rtt_standard_deviation_ms: "standardDeviationMs",
  rtt_jitter_ms: "jitterMs",
} as const satisfies Readonly<Record<string, keyof RttSummary>>;

export type RttName = keyof typeof rttFigures;

/** Null without a summary, and for the jitter of single replies. */
export const rttColumns = Object.entries(rttFigures).map(([name, figure]) => ({
  name,
  value: (rtt: RttSummary | null): number | null => roundedMs(rtt?.[figure] ?? null),
}));
