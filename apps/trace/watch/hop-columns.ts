/** The columns of a watched path: the screen, the report, and rows for programs. Pure. */
import { roundedMs } from "../../../lib/paths/rounded-ms.ts";
import { msInWords } from "../../../lib/paths/words.ts";
import { visible } from "../../../lib/terminal/foreign-text.ts";
import type { Column } from "../../../lib/terminal/rows-output.ts";
import type { HopFigures } from "./hop-figures.ts";

const right = { align: "right" } as const;

export function hopColumns(names: ReadonlyMap<string, string>): readonly Column<HopFigures>[] {
  return [
    { name: "ttl", head: "hop", ...right, value: ({ ttl }) => ttl },
    {
      name: "routers",
      head: "router",
      value: ({ routers }) => routers,
      text: ({ routers }) => routers.join(" "),
      cell: (row) => routerText(row, names),
    },
    { name: "flows", head: "flows", ...right, value: ({ flows }) => flows },
    { name: "sent", head: "sent", ...right, value: ({ sent }) => sent },
    { name: "answered", head: null, value: ({ answered }) => answered },
    {
      name: "loss_percent",
      head: "loss",
      ...right,
      value: ({ lossPercent }) => Math.round(100 * lossPercent) / 100,
      cell: ({ lossPercent }) => `${lossPercent.toFixed(0)} %`,
    },
    rtt("last_ms", "last", ({ lastMs }) => lastMs),
    rtt("mean_ms", "mean", ({ meanMs }) => meanMs),
    rtt("best_ms", "best", ({ bestMs }) => bestMs),
    rtt("worst_ms", "worst", ({ worstMs }) => worstMs),
    rtt("standard_deviation_ms", "dev", ({ deviationMs }) => deviationMs),
    rtt("jitter_ms", "jitter", ({ jitterMs }) => jitterMs),
  ];
}

/** The router that answered most, and how many others did. */
function routerText({ routers: [first, ...others] }: HopFigures, names: ReadonlyMap<string, string>): string {
  if (first === undefined) {
    return "* no answer";
  }
  const name = names.get(first);
  const more = others.length === 0 ? "" : ` +${others.length}`;
  return `${name === undefined ? first : `${visible(name)} (${first})`}${more}`;
}

function rtt(name: string, head: string, value: (row: HopFigures) => number | null): Column<HopFigures> {
  return {
    ...{ name, head, align: "right" },
    value: (row) => {
      const ms = value(row);
      return ms === null ? null : roundedMs(ms);
    },
    cell: (row) => msInWords(value(row)),
  };
}
