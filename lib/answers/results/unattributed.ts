/** Counts of replies that are in no view of a measurement: as response headers, and in words. Pure. */
import type { Unattributed } from "../../engines/store/clickhouse/attributed-replies.ts";

export const ambiguousHeader = "vantage-ambiguous-replies";
export const earlyHeader = "vantage-early-replies";

/** Zero if the gateway does not report them. */
export function readUnattributed(headers: Headers): Unattributed {
  const count = (name: string) => Number(headers.get(name) ?? 0) || 0;
  return { ambiguous: count(ambiguousHeader), early: count(earlyHeader) };
}

/** A line for each non-zero kind. */
export function unattributedTexts({ ambiguous, early }: Unattributed): string[] {
  return [
    ...(ambiguous === 0
      ? []
      : [
          `${counted(ambiguous, "ambiguous")}, not counted: another measurement sent the same probes from the same ` +
            "source at the time (docs/internals/store.md)",
        ]),
    ...(early === 0
      ? []
      : [
          `${counted(early, "early")}, not counted: before the probe was submitted; is the agent's clock right? ` +
            "(docs/internals/store.md)",
        ]),
  ];
}

function counted(count: number, kind: string): string {
  return `${count} ${kind} ${count === 1 ? "reply" : "replies"}`;
}
