/** The columns of a watched path: the screen, the report, and rows for programs. Pure. */
import type { AddressNotes } from "../../../../lib/answers/enrich/address-context.ts";
import { contextJson } from "../../../../lib/answers/enrich/context-fields.ts";
import { routerNotes } from "../../../../lib/answers/enrich/router-notes.ts";
import { visible } from "../../../../lib/base/terminal/foreign-text.ts";
import type { Column, Format } from "../../../../lib/base/terminal/rows-output.ts";
import { roundedMs } from "../../../../lib/measuring/paths/rounded-ms.ts";
import { msInWords } from "../../../../lib/measuring/paths/words.ts";
import type { HopFigures } from "./hop-figures.ts";

const right = { align: "right" } as const;

export function hopColumns(notes: AddressNotes, format: Format): readonly Column<HopFigures>[] {
  return [
    { name: "ttl", head: "hop", ...right, value: ({ ttl }) => ttl },
    {
      name: "routers",
      head: "router",
      value: ({ routers }) => routers,
      text: ({ routers }) => routers.join(" "),
      cell: (row) => routerText(row, notes),
    },
    ...contextColumnsOf(notes, format),
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
    {
      name: "rewritten",
      head: null,
      value: ({ rewritten }) => rewritten,
      text: (row) => row.rewritten.join(" "),
    },
  ];
}

/** For people the context of the router that answered most; for programs of each: in CSV the AS alone. */
function contextColumnsOf(notes: AddressNotes, format: Format): readonly Column<HopFigures>[] {
  const { fields, of } = notes;
  if (fields.length === 0) {
    return [];
  }
  if (format === "table") {
    const { heads, cells } = routerNotes(notes);
    return heads.map((head, i) => ({
      ...{ name: head, head, value: () => null },
      cell: ({ routers: [first] }) => visible(first === undefined ? "" : (cells(first)[i] ?? "")),
    }));
  }
  return [
    {
      ...{ name: "context", head: null },
      value: ({ routers }) => routers.map((address) => ({ address, ...contextJson(of(address), fields) })),
      text: ({ routers }) => routers.map((address) => `AS${of(address).context?.asn ?? "?"}`).join(" "),
    },
  ];
}

/** The router that answered most, and how many others did. */
function routerText({ routers: [first, ...others], rewritten }: HopFigures, { of }: AddressNotes): string {
  if (first === undefined) {
    return "* no answer";
  }
  const { name } = of(first);
  const more = others.length === 0 ? "" : ` +${others.length}`;
  const nat = rewritten.length === 0 ? "" : "  NAT";
  return `${name === null ? first : `${visible(name)} (${first})`}${more}${nat}`;
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
