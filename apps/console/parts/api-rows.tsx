/** @jsxImportSource hono/jsx */
/** Rows of the API: shown members, heads and order. */
import * as v from "valibot";
import { grouped } from "../../../lib/base/terminal/figures.ts";
import { visible } from "../../../lib/base/terminal/foreign-text.ts";
import type { Visit } from "../page.ts";
import type { Column } from "./table.tsx";

export type ApiRow = Readonly<Record<string, unknown>>;

/** The API has checked them; optional members, such as context, are kept. */
export const rowsAnswer = v.array(v.looseObject({}));

/** What fits on a page. */
export const rowsMax = 200;

const figureNames = new RegExp(
  [
    "_(ms|percent|bytes|count|port|ttl|ttl_max|instance)$",
    "^(ttl|ttls|next_hops|flows_needed|agents|answers|links|probes|submitted|answered|lost|duplicates)$",
    "^larger_(lost|submitted)$",
    "^(replies|destinations|destinations_before|responders|errors)$",
    "^(run|paths|path_changes|flows|flows_before)$",
  ].join("|"),
);

/** Numbers that name something are not grouped. */
const nameNumbers = /(^|_)(ttl|ttl_max|port|instance|run)$/;
const time = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.0+|(\.\d+))?Z$/;

/** Members with an address: it is looked up among routes, if the visitor may, or its measurements are. */
const addressNames =
  /^(router|reported_by|address|destination|next_hop|from|to|reply_src_addr|probe_dst_addr|near_addr|far_addr)$/;
const agentNames = /^(agent|agent_id|probe_agent|heard_by)$/;
const anyAddress = /^(\d+\.\d+\.\d+\.\d+|[\da-f:]*:[\da-f:.]*)$/i;

/** Whose links lead somewhere: results that others share are read without them. */
type Reader = Pick<Visit, "person" | "collectors">;

/** `heads`: by member name. Without a reader cells have no links. */
export function columnsOf(
  heads: Readonly<Record<string, string>>,
  reader: Reader | null = null,
): Column<ApiRow>[] {
  return Object.entries(heads).map(([name, head], i) => ({
    ...{ head, isName: i === 0, isFigure: figureNames.test(name) },
    cell: (row) => {
      const text = visible(textOf(name, row[name] ?? "–")) || "–";
      if (time.test(String(row[name]))) {
        return <time datetime={String(row[name])}>{text}</time>;
      }
      const href = reader === null || reader.person === null ? null : linkOf(name, text, reader);
      return href === null ? text : <a href={href}>{text}</a>;
    },
  }));
}

/** Times without the letters of ISO 8601, as heads have the time zone; at most two decimals. */
function textOf(name: string, value: unknown): string {
  if (typeof value === "number") {
    const rounded = Number(value.toFixed(2));
    return figureNames.test(name) && !nameNumbers.test(name) ? grouped(rounded) : String(rounded);
  }
  return String(value).replace(time, "$1 $2$3");
}

function linkOf(name: string, text: string, { collectors }: Reader): string | null {
  const to = (page: string, key: string, value: string) =>
    `/console/${page}?${new URLSearchParams({ [key]: value })}`;
  if (addressNames.test(name) && anyAddress.test(text)) {
    return collectors.length > 0 ? to("routes", "resource", text) : to("measurements", "target", text);
  }
  if (agentNames.test(name) && text !== "–") {
    return to("measurements", "agent", text);
  }
  const [, asn] = /^AS(\d+)/.exec(text) ?? [];
  if (name === "as" && asn !== undefined) {
    return collectors.length > 0 ? to("routes", "asn", asn) : to("measurements", "asn", `AS${asn}`);
  }
  return name === "measurement_id" && text !== "–" ? `/console/measurements/${text}` : null;
}
