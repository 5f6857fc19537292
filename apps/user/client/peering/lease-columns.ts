/** How leases are shown. */
import type { Column } from "../../../../lib/base/terminal/rows-output.ts";
import { durationInWords, timeInWords } from "../../../../lib/base/terminal/time-words.ts";
import type { ShownLease } from "./answers.ts";

export const rpkiColumn: Column<{ readonly rpki_enabled: boolean }> = {
  name: "rpki_enabled",
  head: "RPKI",
  value: ({ rpki_enabled }) => rpki_enabled,
  cell: ({ rpki_enabled }) => (rpki_enabled ? "on" : "off"),
};

export function leaseColumns(nowMs: number): readonly Column<ShownLease>[] {
  return [
    { name: "prefix", head: "prefix", value: ({ prefix }) => prefix },
    { name: "status", head: "status", value: ({ status }) => status },
    { name: "start_time", head: "since (UTC)", value: ({ start_time }) => start_time, cell: startText },
    { name: "end_time", head: "until (UTC)", value: ({ end_time }) => end_time, cell: endText },
    {
      name: "seconds_left",
      head: "left",
      align: "right",
      value: (lease) => Math.round(leftMs(lease, nowMs) / 1000),
      cell: (lease) => (leftMs(lease, nowMs) === 0 ? "" : durationInWords(leftMs(lease, nowMs))),
    },
    rpkiColumn,
  ];
}

/** 0 for one that has ended. */
function leftMs({ status, end_time }: ShownLease, nowMs: number): number {
  return status === "active" ? Math.max(0, Date.parse(end_time) - nowMs) : 0;
}

function startText({ start_time }: ShownLease): string {
  return timeInWords(start_time);
}

function endText({ end_time }: ShownLease): string {
  return timeInWords(end_time);
}
